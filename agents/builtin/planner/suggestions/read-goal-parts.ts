/** What a goal consists of: the words that ask, the material, the tables and the texts. */
import type { AnswerLanguage } from '../../tools/answer-translation/answer-languages.ts'
import type { ReadTableContext } from '../../tools/tables/reading/question/question-reading.ts'
import { readHead } from '../../tools/tables/table-ports.ts'
import type { GoalFile } from '../../tools/tool.ts'
import { detectAttachmentType } from '../intent/detect-attachment-type.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import { translateGoalToEnglish } from '../intent/languages/translate-goal-to-english.ts'

export type GoalParts = {
  readonly language: AnswerLanguage | 'en'
  /** The words that ask, as they were written, without material below an empty line. */
  readonly request: string
  /** The same in English, as far as phrases are known. */
  readonly english: string
  /** Words that the phrases of the client's language do not cover. Empty for English. */
  readonly unread: readonly string[]
  /** Text to work on that stands in the goal. */
  readonly material: string | undefined
  readonly tables: readonly ReadTableContext[]
  /** Attached text files. */
  readonly documents: readonly GoalFile[]
  readonly files: readonly GoalFile[]
}

/** Longer texts are not read for suggestions. */
export const maxSuggestedText = 4_000
const maxRequest = 1_500

export function readGoalParts(goal: GoalInput): GoalParts | undefined {
  if (goal.text.length > maxSuggestedText) return undefined
  const files = goal.attachments.map((file): GoalFile => {
    const head = goal.heads?.[file.sha256]
    return { name: file.name, type: detectAttachmentType(file), ...(head && { head: head.text, isWhole: head.isWhole }) }
  })
  // The text to work on is in the file.
  const hasText = files.some(({ type }) => type === 'document.text')
  const { request, material } = splitGoal(goal.text, hasText)
  const read = translateGoalToEnglish({ ...goal, text: request, originalText: '' })
  const isTranslated = 'reading' in read
  return {
    language: isTranslated ? read.language : 'en',
    request: request.slice(0, maxRequest),
    english: (isTranslated ? read.goal.text : request).slice(0, maxRequest),
    unread: isTranslated ? read.unknown : [],
    material,
    files,
    documents: files.filter(({ type }) => type === 'document.text'),
    tables: files.filter(({ type }) => type === 'table.csv' || type === 'table.json').flatMap((file) => readHead(file) ?? []),
  }
}

const helloReply = /^(?:hi|hello|hey|hallo|bonjour|hola|dear|guten tag|buenos días)\b[^.?!\n]{0,30}[,!.]?\s*$/i

/** Numbers or words behind the colon that ask again are no text to work on. */
const asksBehind =
  /\?|(?<!\p{L})(?:need|want|please|how|what|which|brauche|bitte|quiero|combien|cuánt\p{L}*|cuál\p{L}*|quel(?:le)?s?|wie ?(?:viele?|lange?|oft|hoch)|welche\p{L}?|was (?:ist|sind|macht|kostet|bleibt|muss|zahl\p{L}*|kommt))(?!\p{L})/iu

/** The material stands below the first empty line, in quotation marks, or in the lines below the first one. */
function splitGoal(text: string, hasText: boolean): { readonly request: string; readonly material: string | undefined } {
  const trimmed = text.replace(/\r\n?/g, '\n').trim()
  const paragraphs = trimmed.split(/\n[^\S\n]*\n/)
  const start = paragraphs.findIndex((one) => !helloReply.test(one.trim()))
  const rest = paragraphs.slice(start + 1).join('\n\n')
  if (start >= 0 && rest.trim().length >= 20) return { request: paragraphs.slice(0, start + 1).join('\n'), material: rest.trim() }
  const quoted = /["“„«]([^"“”„«»]{40,})["”“»]/.exec(trimmed)
  if (quoted?.[1]) return { request: trimmed.replace(quoted[0], ' ').trim(), material: quoted[1].trim() }
  const [first = '', ...lines] = trimmed.split('\n')
  if (lines.length >= 3 && lines.every((line) => line.length < 120)) return { request: first, material: lines.join('\n').trim() }
  const colon = hasText ? null : /^([^:：]{10,400}[:：])\s+(\S[\s\S]{30,})$/.exec(trimmed)
  if (colon?.[1] && colon[2] && !asksBehind.test(colon[2])) return { request: colon[1], material: colon[2].trim() }
  return { request: trimmed, material: undefined }
}
