/** Finds the part of an answer that is material of the client or a computed result, which stays as it is in all languages. */
import type { SkillRequest, SkillResponse } from '../../skill.ts'

type MaterialFinder = (response: SkillResponse, work: SkillRequest) => string | undefined

/** What follows the first line. */
const belowFirstLine: MaterialFinder = ({ text }) => (text.includes('\n') ? text.slice(text.indexOf('\n')) : undefined)

/** The whole text, if it repeats the quotations in the file. */
const wholeText: MaterialFinder = ({ outputs: [file], text }) => {
  const quoted = file?.text.split('\n').flatMap((line) => (line.startsWith('> ') ? [line.slice(2)] : [])) ?? []
  return quoted.length > 0 && quoted.join(' ') === text ? text : undefined
}

/** The result, below notes if there are any. */
const textBelowNotes: MaterialFinder = ({ outputs: [file], text }) => {
  const result = (file?.text ?? '').trimEnd()
  if (result === '') return undefined
  return text === result ? text : text.endsWith(`\n${result}`) ? `\n${result}` : undefined
}

/** The redacted text ends the answer. */
const endingText: MaterialFinder = ({ outputs: [file], text }) =>
  file && file.text !== '' && text.endsWith(` ${file.text}`) ? ` ${file.text}` : undefined

/** The file has the counts in its first line, if there are any, and then the lines. */
const shownLines: MaterialFinder = ({ outputs: [file], text }, { inputs }) => {
  const steps = inputs.map(({ data }) => data?.steps).find(Array.isArray) ?? []
  const hasCounts = steps.some((step) => typeof step === 'object' && step !== null && 'do' in step && /^count/.test(String(step.do)))
  const whole = (file?.text ?? '').replace(/\n$/, '')
  const gap = whole.indexOf('\n\n')
  const lines = hasCounts ? (gap < 0 ? '' : whole.slice(gap + 2)) : whole
  if (lines.trim() === '') return undefined
  return !text.startsWith(lines) && text.includes(`\n${lines}`) ? `\n${lines}` : lines
}

/** To-dos as a list. */
const listedLines: MaterialFinder = ({ text }) => /(?:^|\n)- .*(?:\n- .*)*/.exec(text)?.[0]

/** Results such as `SOS = ... --- ...` in lines of their own. */
const finders: { readonly [skill: string]: MaterialFinder } = {
  'format.json': belowFirstLine,
  'table.convert': belowFirstLine,
  'format.encode': belowFirstLine,
  'format.markdown': belowFirstLine,
  'format.code': belowFirstLine,
  'text.compare': ({ text }, work) => (/^.* added:\n/.test(text) ? belowFirstLine({ text, outputs: [] }, work) : undefined),
  'text.extract': listedLines,
  'text.lines': shownLines,
  'text.redact': endingText,
  'text.summary': wholeText,
  'text.transform': textBelowNotes,
}

/** A part of the answer or of its file; undefined if all of them are sentences of the tool. */
export const findVerbatimPart = (skill: string, work: SkillRequest, response: SkillResponse): string | undefined =>
  finders[skill]?.(response, work)
