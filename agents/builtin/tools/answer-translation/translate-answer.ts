/** Translates the answer of a tool by sentence templates. */
import type { OutputFile, SkillRequest, SkillResponse } from '../../skill.ts'
import type { AnswerLanguage } from './answer-languages.ts'
import { chartAndJoinSentences } from './chart-and-join-sentences.ts'
import { dateSentences } from './date-sentences.ts'
import { findVerbatimPart } from './find-verbatim-part.ts'
import { formatToolSentences } from './format-tool-sentences.ts'
import { lineSentences } from './line-sentences.ts'
import { numberSentences } from './number-sentences.ts'
import { priceSentences } from './price-sentences.ts'
import {
  type AnswerContext,
  type SentenceTemplate,
  translateBeginning,
  translateSentence,
  translateSentences,
} from './sentence-template.ts'
import { slotKinds } from './slot-kinds.ts'
import { tableSentences } from './table-sentences.ts'
import { textSentences } from './text-sentences.ts'
import { translateTable } from './translate-table.ts'
import { untranslatedAnswerNotices } from './untranslated-answer-notices.ts'

/** The sentences of each tool that answers in languages, by skill id. */
export const answerTemplates: { readonly [skill: string]: readonly SentenceTemplate[] } = {
  ...numberSentences,
  'number.dates': dateSentences,
  ...priceSentences,
  ...tableSentences,
  ...chartAndJoinSentences,
  ...textSentences,
  ...lineSentences,
  ...formatToolSentences,
}

const maxAttempts = 5_000
/** Longer texts are no sentences of these tools. */
const maxLength = 4_000

type Translation = {
  readonly templates: readonly SentenceTemplate[]
  readonly context: () => AnswerContext
  readonly material: string | undefined
}

/** The answer in the language. What fits no template stays in English, and a notice in front of it says so. */
export function translateAnswer(skill: string, language: AnswerLanguage, work: SkillRequest, response: SkillResponse): SkillResponse {
  const isInFile = lookUpWords(work)
  const shownTables = countTables(response)
  const translation: Translation = {
    templates: answerTemplates[skill] ?? [],
    context: () => ({ language, isInFile, shownTables, kinds: slotKinds, attempts: { left: maxAttempts } }),
    material: findVerbatimPart(skill, work, response),
  }
  const gap = language === 'zh' ? '' : ' '
  const message = translateMessage(response.text, translation)
  if (message === undefined) return { ...response, text: `${untranslatedAnswerNotices.english[language]}${gap}${response.text}` }
  const files = response.outputs.map((file) => translateFile(file, translation))
  const notices = [
    files.some((file) => file === undefined) ? untranslatedAnswerNotices.file[language] : '',
    response.outputs.some((file) => file.artifact_type === 'table.chart') ? untranslatedAnswerNotices.chart[language] : '',
  ]
  const parts = [message, ...notices].filter((part) => part !== '')
  return {
    outputs: response.outputs.map((file, index) => files[index] ?? file),
    text: parts.join(message.includes('\n') ? '\n' : gap),
  }
}

/** A text as it is, and without the marks that CSV and JSON put before quotation marks and other letters. */
function spellingsOf(text: string): string[] {
  const isEscaped = text.includes('""') || text.includes('\\')
  const plain = (): string =>
    text
      .replaceAll('""', '"')
      .replace(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\(["\\/])/g, '$1')
  return isEscaped ? [text, plain()] : [text]
}

/** Looks up headings and cells in the files, and in the table of the query. */
function lookUpWords({ inputs }: SkillRequest): AnswerContext['isInFile'] {
  const texts = inputs.flatMap(({ text, data }) => [text, data?.table].flatMap((one) => (typeof one === 'string' ? spellingsOf(one) : [])))
  const known = new Map<string, boolean>()
  return (words) => {
    const found = known.get(words) ?? (words.trim() !== '' && texts.some((text) => text.includes(words)))
    known.set(words, found)
    return found
  }
}

/** Answers stand below headings of the second level. */
function countTables({ outputs }: SkillResponse): AnswerContext['shownTables'] {
  const parts = outputs[0]?.media_type === 'text/markdown' ? outputs[0].text.split(/^## (?!How the file)/m).slice(1) : []
  const count = parts.filter((part) => /^\|/m.test(part)).length
  return count === 0 ? 'none' : count === parts.length ? 'all' : 'some'
}

/** Sentences at the end that fit no template follow in English, if what is before them is an answer. */
function translateMessage(text: string, translation: Translation): string | undefined {
  const whole = translateAround(text, translation)
  const isPure = translation.material === undefined || !text.includes(translation.material)
  if (whole !== undefined || !isPure || text.length > maxLength) return whole
  const context = translation.context()
  const { written, end } = translateBeginning(text, translation.templates, context)
  const rest = text.slice(end)
  if (end === 0 || !/[.!?]$/.test(text.slice(0, end)) || !/^[ \n][A-Z“\d]/.test(rest)) return undefined
  return `${written}${rest.charAt(0)}${untranslatedAnswerNotices.remark[context.language]}${context.language === 'zh' ? '' : ' '}${rest.slice(1)}`
}

/** The sentences before and after the material. */
function translateAround(text: string, { templates, context, material }: Translation): string | undefined {
  const at = material === undefined ? -1 : text.startsWith(material) ? 0 : text.lastIndexOf(material)
  const parts = at < 0 ? [text] : [text.slice(0, at), text.slice(at + (material?.length ?? 0))]
  const written = parts.map((part) =>
    part.trim() === '' ? part : part.length > maxLength ? undefined : translateSentences(part, templates, context()),
  )
  return written.includes(undefined) ? undefined : written.join(material ?? '')
}

/** Plain texts that hold sentences of the tool. */
const sentenceFiles = new Set(['colours.txt', 'cron.txt', 'difference.diff', 'lines.txt', 'matches.txt', 'numbers.txt', 'verdict.txt'])

function translateFile(file: OutputFile, translation: Translation): OutputFile | undefined {
  if (sentenceFiles.has(file.name)) return translatePlainFile(file, translation)
  if (file.media_type !== 'text/markdown' || file.artifact_type === 'format.result' || file.artifact_type === 'table.converted') return file
  const blocks = file.artifact_type.startsWith('table.') ? withoutQuestions(file, translation).split(/(?<=\n)\n/) : [file.text]
  const written = blocks.map((block) => (block.startsWith('| ') ? translateBlock(block, translation) : translateLines(block, translation)))
  return written.includes(undefined) ? undefined : { ...file, text: written.join('\n') }
}

function translateLines(text: string, translation: Translation): string | undefined {
  const lines = text.split('\n').map((line) => translateLine(line, translation))
  return lines.includes(undefined) ? undefined : lines.join('\n')
}

/** A table, which may end with a line break. */
function translateBlock(block: string, { context }: Translation): string {
  const lines = block.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  const [table, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)]
  return [...translateTable(table, context), ...rest].join('\n')
}

/** The questions are in English, so that their numbers stand for them. */
function withoutQuestions({ artifact_type, text }: OutputFile, { context }: Translation): string {
  if (artifact_type !== 'table.answer') return text
  const heading = /^## (?!How the file was read$).+$/gm
  const name = untranslatedAnswerNotices.question[context().language]
  const isSingle = (text.match(heading) ?? []).length === 1
  let number = 0
  return text.replace(heading, () => `## ${name}${isSingle ? '' : ` ${++number}`}`)
}

/** Where the result starts below the sentences of a file; -1 if all of it are sentences. */
function startOfResult({ name, text }: OutputFile, material: string | undefined): number {
  if (material !== undefined && text.includes(material)) return text.lastIndexOf(material)
  if (name === 'difference.diff') return text.indexOf('\n')
  const gap = text.indexOf('\n\n')
  return name === 'verdict.txt' && gap >= 0 ? text.indexOf('\n', gap + 2) : gap
}

/** A file of sentences; or some of them above a result, which stays. */
function translatePlainFile(file: OutputFile, translation: Translation): OutputFile | undefined {
  const start = startOfResult(file, translation.material)
  if (start === 0) return file
  const sentences = start < 0 ? file.text : file.text.slice(0, start)
  const lines = sentences.split('\n').map((line) => translateLine(line, translation))
  return lines.includes(undefined) ? undefined : { ...file, text: `${lines.join('\n')}${start < 0 ? '' : file.text.slice(start)}` }
}

/** Marks of Markdown stay; so do quotations and tables that no template names. */
function translateLine(line: string, { templates, context }: Translation): string | undefined {
  if (line.trim() === '' || line.startsWith('>')) return line
  const whole = line.length > maxLength ? undefined : translateSentence(line, templates, context())
  if (whole !== undefined || line.startsWith('|')) return whole ?? line
  const [, mark = '', words = line] = /^(\s*(?:- |#{1,3} ))?(.+)$/.exec(line) ?? []
  const written =
    words.length > maxLength
      ? undefined
      : (translateSentences(words, templates, context()) ?? translateSentence(words, templates, context()))
  return written === undefined ? undefined : `${mark}${written}`
}
