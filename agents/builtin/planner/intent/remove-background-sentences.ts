/** Removes the sentences of a goal that only give its background. The rest is what the goal asks for. */
import { splitSentences } from '../../tools/numbers/split-sentences.ts'
import { stripPoliteness } from '../../tools/strip-politeness.ts'

export type RequestWithBackground = {
  /** The goal without its background. Equal to the goal if there is none. */
  readonly request: string
  /** Sentences and clauses that only explain why the client asks, as written. */
  readonly background: readonly string[]
}

/** A sentence with one of these words asks for something, or limits what is asked for. */
const matters =
  /\b(?:need|needs|want|wants|wanted|would like|i'd like|please|plz|pls|must|should|shall|have to|has to|only|just|except|without|but|not|don'?t|doesn'?t|never|no|ignore|ignoring|skip|exclude|excluding|include|including|also|instead|count|counts|counted|keep|leave|make sure|careful|note that|sorted|sort|order|per|each|every|all|any|both|rather|unless|if|when|which|who|what|whats|how|where|why|total|average|sum|compare|list|show|give|tell|find|translate|convert|calculate|write|draw|help|looking for|hoping|wondering|wonder|goal is|task is|should be|means|mean|is called|stands for)\b/i
/** Numbers, quotations and lists may be what to work on. */
const material = /\d|["“”„«»`#@{}[\]<>=]|:\s/
/** Verbs of the past, and reports of what others do. */
const pastEvent =
  /\b(?:says|said|sent|asked|told|keeps|kept|broke|broken|failed|fails|crashed|stopped|won'?t|wont|can'?t|cannot|couldn'?t|was|were|had|has been|have been|got|gave|came|made|bought|forgot)\b/i
const isStory =
  /^(?:hi|hello|hey|so|ok|well|we|our|my|i|i've|i'm|im|ive|me|it|its|it's|the|this|that|these|those|he|she|they|his|her|their|some|somebody|someone|there|attached|found|got|here|here's|below|enclosed|see|yesterday|last|working|background|context|for (?:context|background|a|an|my|our|the|work|school|uni|class))\b/i

/** True if the sentence only gives a reason or an origin; it neither asks nor limits. */
function isBackground(sentence: string): boolean {
  const bare = stripPoliteness(sentence)
  return (
    bare.split(/\s+/).length >= 3 &&
    !/\?/.test(sentence) &&
    !matters.test(bare) &&
    !material.test(bare) &&
    (isStory.test(bare) || pastEvent.test(bare))
  )
}

const question = /(?:^|[,;–-]\s*)((?:so\s+)?(?:what|which|how|who|when|where|can you|could you|is|are|does|do|did|would)\b[^?]*\?)\s*$/i

/** A story may stand before the question in one sentence. */
function splitStory(sentence: string): { readonly backgroundSentence: string | undefined; readonly asked: string } {
  const start = question.exec(sentence)
  const background = start?.[1] && start.index > 0 ? sentence.slice(0, start.index).trim() : undefined
  return background && start?.[1] && isBackground(background)
    ? { backgroundSentence: background, asked: start[1] }
    : { backgroundSentence: undefined, asked: sentence }
}

/** The goal without sentences that are only background. Pasted material below an empty line stays whole. */
export function removeBackgroundSentences(text: string): RequestWithBackground {
  const trimmed = text.trim()
  const gap = trimmed.search(/\n[ \t]*\n/)
  const [head, rest] = gap < 0 ? [trimmed, ''] : [trimmed.slice(0, gap), trimmed.slice(gap)]
  const background: string[] = []
  const kept: string[] = []
  for (const sentence of sentencesOf(head)) {
    if (isBackground(sentence)) {
      background.push(sentence.trim())
      continue
    }
    const { backgroundSentence, asked } = splitStory(sentence)
    if (backgroundSentence !== undefined) background.push(backgroundSentence)
    kept.push(asked.trim())
  }
  return kept.length === 0 || background.length === 0
    ? { request: text, background: [] }
    : { request: `${kept.join(' ')}${rest}`, background }
}

const maxSentences = 8

export type PartOfRequest = {
  readonly request: string
  /** As written. */
  readonly unread: readonly string[]
}

/**
 * The goal without one of its sentences, then each sentence alone. A tool may read a part of a goal that it cannot read as a whole.
 * Material below an empty line stays with every part. No parts of goals with more than eight sentences.
 */
export function partsOfRequest(text: string): PartOfRequest[] {
  const trimmed = text.trim()
  const gap = trimmed.search(/\n[ \t]*\n/)
  const [head, rest] = gap < 0 ? [trimmed, ''] : [trimmed.slice(0, gap), trimmed.slice(gap)]
  const sentences = sentencesOf(head).map((sentence) => sentence.trim())
  if (sentences.length < 2 || sentences.length > maxSentences) return []
  const without = sentences.map((unread, index) => ({ kept: sentences.filter((_, other) => other !== index), unread: [unread] }))
  const alone = sentences.map((sentence, index) => ({ kept: [sentence], unread: sentences.filter((_, other) => other !== index) }))
  return [...without, ...(sentences.length > 2 ? alone : [])].map(({ kept, unread }) => ({ request: `${kept.join(' ')}${rest}`, unread }))
}

/** The sentences of a request with two to four of them, each with the material below an empty line. */
export function sentencesOfRequest(text: string): string[] {
  const trimmed = text.trim()
  const gap = trimmed.search(/\n[ \t]*\n/)
  const [head, rest] = gap < 0 ? [trimmed, ''] : [trimmed.slice(0, gap), trimmed.slice(gap)]
  const sentences = sentencesOf(head).map((sentence) => sentence.trim())
  return sentences.length < 2 || sentences.length > maxSeveral ? [] : sentences.map((sentence) => `${sentence}${rest}`)
}
const maxSeveral = 4

/** Sentences with their marks, in order. */
function sentencesOf(text: string): string[] {
  const found: string[] = []
  let start = 0
  for (const sentence of splitSentences(text)) {
    const at = text.indexOf(sentence, start)
    const end = at < 0 ? start : at + sentence.length
    const mark = /^[.?!\s;]+/.exec(text.slice(end))?.[0] ?? ''
    found.push(text.slice(start, end + mark.length))
    start = end + mark.length
  }
  return found
}
