/** Clauses of a request that give a reason, thanks or a time, and change nothing in what is asked. */
import { type Phrase, phraseOf } from './scan-phrases.ts'

/** A clause with one of these words limits or extends the work, so it must be read. */
const limits =
  /\d|\b(?:only|not|n't|dont|without|except|but|just|no|none|never|ignore|skip|leave|keep|exclude|include|sorted?|order|per|each|every|all|also|remove|delete|instead|replace|count|rather|unless|total|sum|average)\b/

const occasion =
  'newsletters?|meetings?|reports?|web ?sites?|sites?|blog|class|classes|course|lessons?|homework|exam|thesis|paper|boss|manager|colleagues?|team|clients?|customers?|family|wife|husband|mum|mom|dad|mother|father|friends?|flyers?|leaflets?|posters?|notice ?board|mailing|mailing list|mailshot|mail merge|invitations?|presentation|slides|records|archive|accountant|taxes|tax return|lawyer|work|school|training|documentation|project|club|party|wedding|event|trip|audit|campaign|import|training course|staff|new staff|students?|pupils|kids|children|readers|visitors|parents|neighbours|neighbors|landlord|bank|insurance|police|court|church|choir|board|committee|press|magazine|portfolio|application|job|ticket|incident report|post ?mortem|review'
const word = "[\\p{L}'’-]{1,20}"

const notLimiting = (_: unknown, [phrase]: RegExpExecArray): boolean => !limits.test(phrase)

/** Reasons continue to the end of their clause. */
export const phrasesWithoutEffect: readonly Phrase<unknown>[] = [
  [
    phraseOf(
      `(?:(?:and )?(?:i|we) (?:only |just )?need (?:it|this|them|that) |(?:it's|its|it is|this is|that's) (?:all )?)?for (?:(?:our|my|the|a|an|his|her|their|this|next|tomorrow's|today's) )?(?:${word} ){0,4}(?:${occasion})(?: (?:tomorrow|today|tonight|next week|this week|at school|at work|on (?:mon|tues|wednes|thurs|fri|satur|sun)day))?`,
    ),
    (_, [phrase]) => !limits.test(phrase.replace(/\b(?:only|just) need\b/, '')),
  ],
  [
    phraseOf(
      `(?:so|so that|in order that) (?:i|we|they|he|she|people|everyone|everybody|(?:my|our|the) ${word}) (?:can|could|may|will|would|know|knows|have|has|don't have to)(?: ${word}){0,12}`,
    ),
    notLimiting,
  ],
  [phraseOf(`(?:because|cause|cos|since) (?:i|we|my|our|they|he|she|it's|its|it|the)(?: ${word}){1,12}`), notLimiting],
  [
    phraseOf(
      '(?:we|i|they) (?:still |really |do )?need (?:those|them|these|both)(?: (?:later|too|as well|for (?:the|our|my) records|afterwards|anyway|ourselves))?',
    ),
    () => true,
  ],
  [
    phraseOf(
      "(?:(?:it's|its|it is|this is|that's|kinda|a bit|a little|quite|very|pretty|rather) )*urgent|asap|as soon as (?:possible|you can)|by (?:tomorrow|tonight|noon|monday|tuesday|wednesday|thursday|friday|the weekend)|when you (?:have|get) (?:time|a minute|a moment|a chance)|no (?:rush|hurry|stress)|quickly|real quick|right now",
    ),
    () => true,
  ],
  [
    phraseOf(
      "if (?:that's|that is|it's|its|it is|you can|you could|possible|at all possible|you don't mind|you have time)(?: (?:possible|ok|okay|easy|please))?|hi there|hi|hello|hey(?: there)?|dear all|good (?:morning|afternoon|evening)|thanks?(?: you)?(?: (?:so|very) much| a lot| a million| in advance| for your help)?|thx|ty|cheers|sorry|pls|plz|please|kindly|many thanks|much appreciated|you(?:'re| are) the best",
    ),
    () => true,
  ],
  [
    phraseOf(
      `(?:i|we) (?:need|want|have|would like|'d like) to (?:put|use|send|post|upload|print|share|include|attach|e?mail|show) (?:it|this|them|that) (?:in|on|to|for|with|as|into|onto) (?:(?:my|our|a|an|the|his|her) )?(?:${word} ){0,2}${word}`,
    ),
    notLimiting,
  ],
  [phraseOf(`here(?:'s| is| are) (?:the|my|our|a|an|one of) (?:${word} ){0,2}${word}(?=,)`), notLimiting],
  [
    phraseOf(
      `(?:that's|that is|it's|its|it is|those are|these are|they are|they're) (?:just|only) (?:our|my|the|a|an) ${word}(?: ${word})?`,
    ),
    () => true,
  ],
  [
    phraseOf(
      `(?:my|our|the) (?:${word} )?${word} (?:wants|needs|would like|asks|asked|asked me|wants me) to (?:know|see|find out|have)|(?:i'd|i would|we'd|i|we) (?:like|love|want|need|have) to (?:know|see|find out|have)|i (?:was|am|'m) wondering|(?:can|could) (?:you|some(?:one|body)|anyone)(?: please)?(?: (?:tell|show|give) (?:me|us))?|do you know`,
    ),
    () => true,
  ],
  [
    phraseOf(
      "(?:i|we) (?:don't|dont|do not) (?:know|have a clue) how(?: to do (?:it|this|that))?|(?:i|we) have no (?:idea|clue)(?: how)?|(?:i'm|im|we're) (?:stuck|lost|not good at this|no expert)|(?:i|we) (?:can't|cant|cannot) do (?:it|this|that) by hand|it's too (?:long|many|much)(?: to do by hand)?",
    ),
    () => true,
  ],
]
