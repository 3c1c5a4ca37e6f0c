/** `text.lines`: filters, counts, sorts and cleans the lines of a text, a log or a list. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolSkill } from '../tool.ts'
import { maxLineSteps, parseLineSteps } from './line-steps.ts'
import { readLineGoal } from './read-line-goal.ts'
import { runLineSteps } from './run-line-steps.ts'
import { requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_lines'
const skill: ToolSkill = {
  id: 'text.lines',
  name: 'Filter, count and sort lines',
  description:
    'Works on the lines of a text, a log or a list: keeps or removes lines by words, level or time, counts them by level, hour, day or content, sorts, numbers, and removes duplicates.',
  inputs: textPorts(type, 'The text and the steps.', {
    steps: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: maxLineSteps, description: 'What is done, in this order.' },
  }),
  outputs: [{ name: 'lines', type: 'text.lines', description: 'The counts, and the lines that are left.', optional: false }],
  price: '100000',
  tags: [
    'lines',
    'log file',
    'errors',
    'warnings',
    'filter',
    'count lines',
    'sort',
    'alphabetical',
    'duplicates',
    'list',
    'per hour',
    'grep',
  ],
  samples: [
    {
      title: 'A list',
      input: {
        text: 'pears, Apples, figs, apples',
        steps: [
          { do: 'sort', by: 'alphabet' },
          { do: 'change', change: 'unique' },
        ],
      },
      output: 'Apples, figs, pears',
    },
  ],
}

const maxShownLines = 20
const maxShownLength = 800

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const { steps } = requireData(work, type)
  const { reports, notes, text: lines, lineCount } = runLineSteps(text, parseLineSteps(steps))
  const isShort = lines !== undefined && lines.length <= maxShownLength && lines.split('\n').length <= maxShownLines
  const head = reports.join(' ')
  const shown = head.length > maxShownLength ? `${head.slice(0, maxShownLength)}… The file has all of it.` : head
  const body =
    lines === undefined ? '' : isShort ? lines || 'No line is left.' : `${lineCount.toLocaleString('en-US')} lines are in the file.`
  const notice = notes.join(' ')
  const parts = body.includes('\n') || shown === '' ? [body, shown, notice] : [shown, body, notice]
  return {
    outputs: [
      {
        name: 'lines.txt',
        media_type: 'text/plain',
        artifact_type: 'text.lines',
        text: `${[head, lines].filter((part) => part !== undefined && part !== '').join('\n\n')}\n`,
      },
    ],
    text: parts.filter((part) => part !== '').join('\n'),
  }
}

export const textLinesTool: Tool = { skill, readGoal: readLineGoal, run }
