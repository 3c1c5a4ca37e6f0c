/** `text.language`: the language of a text. */
import { eld } from 'eld/small'
import { refuse, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_language'
const skill: ToolSkill = {
  id: 'text.language',
  name: 'Tell the language of a text',
  description: 'The most probable of 60 languages, with its ISO 639-1 code, from at least three words.',
  inputs: textPorts(type, 'The text.'),
  outputs: [{ name: 'language', type: 'text.language', description: 'Name, code and score, as JSON.', optional: false }],
  price: '100000',
  tags: ['language', 'detect language', 'identify language'],
  samples: [{ title: 'German', input: { text: 'Guten Morgen, wie geht es dir heute?' }, output: 'The text is in German (de).' }],
}

type Draft = { isAsked: boolean }

const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      "(?:no|without|not|don't need|dont need|do not need) (?:a |any |the )?(?:translations?|translating|translated|to translate(?: it| this)?)(?: (?:is |are )?(?:needed|necessary|required|wanted))?|(?:a )?translation (?:is )?not (?:needed|necessary|required)|(?:you )?(?:don't|dont|do not) (?:need to |have to )?translate(?: it| this)?",
    ),
    () => true,
  ],
  [
    phraseOf('languages?(?: detection| code| name)?'),
    (draft) => {
      draft.isAsked = true
      return true
    },
  ],
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [
    phraseOf(
      `(?:(?:in|of|from|on) )?(?:the |this |that )?(?:sign|label|card|postcard|sticker|packaging|poster|inscription|lyrics|song|email|e-mail|mail|recipe|website|caption|comment|review|quote|subtitle|words)`,
    ),
    () => true,
  ],
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      "found|got|saw|received|have|has|we|i|my|our|on|at|in|under|door|mailbox|letterbox|car|desk|street|today|yesterday|what|whats|what's|which|is|are|was|it|its|it's|this|that|these|the|a|an|of|or|and|to|detect|identify|determine|tell|recogni[sz]e|find|out|guess|name|know|me|written|used|spoken|wrote|write|only|just|want|need|would|like|could|can|you|be|do|don't|dont|does|one|for|from|check|please|someone|neighbou?rs?|left|old|book|they|he|she|here|below|above|following|attached|the following|pasted|think|kind|for sure|sure|exactly|got|by|into|who|ask|whom",
    ),
    () => true,
  ],
]

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const draft: Draft = { isAsked: false }
  if (!request) return undefined
  for (const sentence of request.raw) {
    const lower = sentence.toLowerCase().replace(/⟦\d+⟧/g, ' ')
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  // "Which language do you speak?" has no text.
  const hasText = request.text !== undefined || request.hasFile
  const isPlain = /^(?:in )?(?:what|which|detect|identify|determine|recogni[sz]e|tell|language)\b/.test(request.asked[0] ?? '')
  return draft.isAsked && (hasText || (isPlain && !/\b(?:you|i|we|they|he|she)\b/.test(request.asked.join(' '))))
    ? readTextGoal(request, {}, 'I tell the language of the text.')
    : undefined
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type).slice(0, 20_000)
  const found = eld.detect(text)
  if (!found.language) return refuse('The text is too short to recognise its language. Give a longer one.')
  const name = names.of(found.language) ?? found.language
  const isSure = found.isReliable()
  const scores = found.getScores()
  const json = { language: name, code: found.language, is_reliable: isSure, score: scores[found.language] ?? 0 }
  return {
    outputs: [
      { name: 'language.json', media_type: 'application/json', artifact_type: 'text.language', text: `${JSON.stringify(json, null, 2)}\n` },
    ],
    text: `The text is ${isSure ? '' : 'probably '}in ${name} (${found.language}).${isSure ? '' : ' It is short, so this is not certain.'}`,
  }
}

export const detectLanguageTool: Tool = { skill, readGoal, run }
