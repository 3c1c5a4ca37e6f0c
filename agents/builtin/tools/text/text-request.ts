/** What a goal asks for about a text, and which text it is. */
import type { Json } from '@parley/protocol'
import { findInput, refuse, requireData, type SkillRequest } from '../../skill.ts'
import { isEnglish } from '../numbers/is-english.ts'
import { splitSentences } from '../numbers/split-sentences.ts'
import { trimPoliteness } from '../strip-politeness.ts'
import type { ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { splitMaterial, withoutMarks } from './split-material.ts'

type Port = ToolSkill['inputs'][number]
type Property = { readonly [key: string]: string | number | boolean | readonly string[] | readonly number[] | object }

const maxTextLength = 2_097_152
const maxQueryLength = 20_000
/** Each tool reads a request phrase by phrase. With more quotations that takes a noticeable time. */
const maxQuotations = 200

/** The query with an optional `text`, and a text file that stands for it. */
export function textPorts(type: string, description: string, more: { readonly [name: string]: Property } = {}): Port[] {
  const text = { type: 'string', maxLength: maxQueryLength, description: 'The text, unless a file has it.' }
  return [
    { name: 'query', type, description, optional: false, schema: { type: 'object', properties: { text, ...more } } as never },
    { name: 'document', type: 'document.text', description: 'A text file of at most 2 MiB.', optional: true },
  ]
}

/** A goal without politeness, its material, and the words that point to the material. */
export type TextRequest = {
  /** The sentences that ask as they were written, with marks such as `⟦0⟧` for quotations. */
  readonly raw: readonly string[]
  /** Sentences in lower case that ask for something, without their last mark. */
  readonly asked: readonly string[]
  /** The quoted text, if there is one. */
  readonly text: string | undefined
  readonly quotations: readonly string[]
  readonly hasFile: boolean
}

const pointer =
  /(?:\s*\b(?:of|in|from|for|on|to|with|between|within|inside|about|across))?\s+(?:all (?:of )?)?(?:the |this |these |that |those |my |our |a |an )?(?:(?:following|attached|uploaded|given|quoted|enclosed|above|below|provided|two|both|english|short|long) )*(?:text|texts|text file|file|files|document|documents|paragraph|paragraphs|passage|sentence|string|article|essay|story|poem|contents?|notes?|letter|memo|message|transcript|log|log file|speech|review|abstract|blog post|post|page|draft|copy|attachment|quote|quotation|input|versions?|words below|text below|text above)(?: (?:file|below|above|attached|here|in quotes|in quotation marks|that i attached|i attached|i pasted))*(?= |$|,)/g
/** Sentences that only hand over the material. */
const handover =
  /^(?:(?:here|below|attached|enclosed) (?:is|are|you)|here's|this is|the text is|i (?:have )?(?:attached|pasted|added|enclosed|uploaded)|see (?:the )?(?:attached|attachment|below)|i need (?:it|this|that) (?:for|because)|text|input|the file is|file)\b/

/** Statements about the client or the file. One that limits the work is no such statement. */
const remark =
  /^(?:i|i'm|we|we're|my|our|this|it|it's|they|he|she|the|there|sorry|hi|hello|hey|good|thanks?|thank|cheers|regards|best)\b(?!.*\b(?:need|want|wants|would like|i'd like|we'd like|i'd love|looking for|must|should|shall|only|not|n't|except|without|ignore|skip|keep|include|exclude|never|always|but|remove|sort|count|replace|between|least|most|more|less)\b)[^?]*$/

/** Sentences that ask, without those that only hand over a text or describe it. */
export function listRequests(words: string): string[] {
  return splitSentences(words.replace(/\btl ?;? ?dr\b/gi, 'tldr'))
    .map((sentence) => ({
      isQuestion: /\?\s*$/.test(sentence),
      text: trimPoliteness(sentence).replace(/(?<![\s:,;.!?-])[\s:,;.!?-]+$/, ''),
    }))
    .filter(({ isQuestion, text }, _, all) => {
      const plain = text.toLowerCase()
      return plain !== '' && (isQuestion || !handover.test(plain)) && (isQuestion || all.length === 1 || !remark.test(plain))
    })
    .map(({ text }) => text)
}

/** Undefined if the goal is in another language, or is no request. */
export function readTextRequest(goal: ToolGoal): TextRequest | undefined {
  const hasFile = goal.files.some(({ type }) => type === 'document.text')
  const split = splitMaterial(goal)
  if (!split || split.quotations.length > maxQuotations) return undefined
  const words = withoutMarks(split.request)
  if (!isEnglish(words)) return undefined
  const raw = listRequests(split.request)
  const asked = listRequests(words).map((sentence) => withoutPointers(sentence.toLowerCase()))
  if (asked.length === 0 || asked.length > 4) return undefined
  const quotations = split.material === undefined ? split.quotations : [...split.quotations, split.material]
  return { raw, asked, text: quotations.length === 1 ? quotations[0] : undefined, quotations, hasFile }
}

/** `count the words in the following text` is `count the words`. */
const withoutPointers = (sentence: string): string =>
  ` ${sentence} `
    .replace(pointer, ' ')
    // Before the next pattern, which takes cubic time on many spaces.
    .replace(/\s+/g, ' ')
    .replace(/ (?:(?:of|in|from|for|on|to|with) ?)?\b(?:it|this|that|them|these|here|below|above)\b(?= ?$)/, ' ')
    .replace(/^[\s,:]+/, '')
    .replace(/(?<![\s,:])[\s,:]+$/, '')
    // The material stood after it.
    .replace(/(?<!\s)\s+(?:of|in|from|for|on|to|with|inside|within)$/, '')

/** True if every sentence fits the pattern, so that nothing else is asked. */
export const isOnly = (request: TextRequest, pattern: RegExp): boolean => request.asked.every((sentence) => pattern.test(sentence))

export type TextQuery = { readonly query: { readonly [key: string]: never }; readonly summary: string; readonly noun: string }

/** The reading of a goal that one tool does as a whole; or the question for the text. */
export function readTextGoal(
  { text, hasFile, quotations }: Pick<TextRequest, 'text' | 'hasFile' | 'quotations'>,
  options: { readonly [key: string]: Json },
  summary: string,
): ToolReading {
  // Of several quotations, it is not known which one is the text.
  if (text === undefined && quotations.length > 1) return undefined
  // Beside a file, a quotation can be what is looked for in it.
  if (text !== undefined && hasFile) return undefined
  if (text === undefined && !hasFile)
    return { confidence: 0.7, question: 'Which text is it? Put it in quotation marks, after a colon, or attach it as a text file.' }
  if (text !== undefined && text.length > maxQueryLength)
    return {
      confidence: 0.7,
      question: `The quoted text has more than ${maxQueryLength.toLocaleString('en-US')} characters. Attach it as a text file.`,
    }
  return { confidence: 0.9, query: { ...(options as object), ...(text !== undefined && { text }) }, summary }
}

/** The text of a request. @throws {SkillRefused} if there is none, or it is too long */
export function requireMaterial(work: SkillRequest, type: string): string {
  const { text } = requireData(work, type)
  const material = typeof text === 'string' && text !== '' ? text : findInput(work, 'document.text')?.text
  if (material === undefined || material.trim() === '')
    return refuse('There is no text. Put it into the query as `text`, or attach a text file.')
  if (material.length > maxTextLength) return refuse('The text is longer than 2 MiB.')
  return material.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}
