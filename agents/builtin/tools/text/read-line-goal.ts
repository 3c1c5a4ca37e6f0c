/** Reads a goal on the lines of a text into steps. */
import type { Json } from '@parley/protocol'
import { isEnglish } from '../numbers/is-english.ts'
import type { ToolGoal, ToolReading } from '../tool.ts'
import { textAccessLogTool } from './access-log-tool.ts'
import { LineGoalReader } from './line-goal-reader.ts'
import { linePhrases } from './line-phrases.ts'
import { type LineStep, type LineTest, maxLineSteps } from './line-steps.ts'
import { scanPhrases } from './scan-phrases.ts'
import { splitMaterial, withoutMarks } from './split-material.ts'
import { listRequests, readTextGoal } from './text-request.ts'

const maxSentences = 6

/** Undefined if a word of the goal is not read, or no work on lines is asked for. */
export function readLineGoal(goal: ToolGoal): ToolReading {
  const file = goal.files.find(({ type }) => type === 'document.text')
  const split = splitMaterial(goal)
  if (!split || !isEnglish(withoutMarks(split.request))) return undefined
  // An order in a shop is no order of lines.
  if (/\border (?:numbers?|nos?|ids?|dates?)\b/i.test(split.request)) return undefined
  const sentences = listRequests(split.request)
  if (sentences.length === 0 || sentences.length > maxSentences) return undefined
  const isQuotedText = split.material === undefined && file === undefined && split.quotations.length > 0
  const material = split.material ?? (isQuotedText ? split.quotations.at(-1) : file?.head)
  // Questions on an access log are read field by field.
  if (textAccessLogTool.readGoal(goal)) return undefined
  const reader = new LineGoalReader(split.quotations, material)
  for (const sentence of sentences) {
    const raw = isQuotedText ? withoutLastMark(sentence, split.quotations.length - 1) : sentence
    reader.raw = raw.trim()
    // Only these letters, so that the length stays.
    const lower = reader.raw.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    if (scanPhrases(lower, linePhrases, reader) < lower.length) return undefined
    reader.finish()
  }
  return toReading(reader, goal, isQuotedText || split.material !== undefined ? material : undefined)
}

const withoutLastMark = (sentence: string, index: number): string => sentence.replace(`⟦${index}⟧`, ' ')

/** A change of letters alone is no work on lines. */
const isWork = (step: LineStep): boolean =>
  step.do === 'change' ? !step.change.endsWith('_case') : step.do !== 'show' && step.do !== 'all' && step.do !== 'count'

function toReading(reader: LineGoalReader, goal: ToolGoal, text: string | undefined): ToolReading {
  const { steps, question } = reader
  if (reader.isUnclear || !steps.some(isWork) || steps.length > maxLineSteps) return undefined
  if (question) return { confidence: 0.9, question }
  const hasFile = goal.files.some(({ type }) => type === 'document.text')
  if (
    text === undefined &&
    !hasFile &&
    (goal.files.length > 0 || !/\b(?:lines?|list|logs?|text|file|duplicates|alphabetical(?:ly)?)\b/i.test(goal.text))
  )
    return undefined
  const request = { text, quotations: [], hasFile }
  return readTextGoal(request, { steps: steps as unknown as Json }, `I work on the lines: ${steps.map(nameOf).filter(Boolean).join(', ')}.`)
}

const testNames: { readonly [where in LineTest]: string } = {
  level: 'of level',
  contains: 'with',
  contains_all: 'with',
  starts: 'that start with',
  ends: 'that end with',
  kind: 'with a',
  time: 'from',
  longer: 'with more characters than',
  shorter: 'with fewer characters than',
}

function nameOf(step: LineStep): string {
  switch (step.do) {
    case 'keep':
    case 'remove':
      return `${step.do} those ${testNames[step.where]} ${step.values.map((one) => `“${one.slice(0, 40)}”`).join(step.where === 'time' ? ' to ' : step.where === 'contains_all' ? ' and ' : ' or ')}`
    case 'take':
    case 'drop':
      return `${step.do === 'take' ? 'keep' : 'remove'} the ${step.end} ${step.count}`
    case 'sort':
      return `sort by ${step.by.replace('_', ' ')}${step.isDescending ? ', descending' : ''}`
    case 'change':
      return step.change.replaceAll('_', ' ')
    case 'count_by':
      return `count by ${(step.field ?? step.by).replaceAll('_', ' ')}`
    default:
      return step.do === 'count' ? 'count' : ''
  }
}
