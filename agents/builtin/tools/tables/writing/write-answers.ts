/** Writes the answers to the parts of a question. */
import type { TableAnswer } from '../computing/answer-query.ts'
import type { ReadPart } from '../reading/question/read-question.ts'
import type { DataTable } from '../reading/table/read-attached-table.ts'
import { writeMarkdownTable } from './write-table.ts'

export type AnsweredPart = { readonly part: ReadPart; readonly answer: TableAnswer }

/** A part that is not understood is named in the answer. */
export const sentenceOfPart = ({ part, answer }: AnsweredPart): string => {
  if ('reason' in part) return `Not answered: “${part.text.slice(0, 80)}”. ${part.reason}`
  return [answer.sentence, ...part.notes].join(' ')
}

export function writeAnswers(table: DataTable, answered: readonly AnsweredPart[]): string {
  const blocks = answered.map(({ part, answer }) => {
    const notes = 'query' in part ? part.notes : []
    return [
      `## ${part.text.replace(/\s+/g, ' ')}`,
      sentenceOfPart({ part: { ...part, notes: [] } as ReadPart, answer }),
      ...notes,
      ...(answer.rows ? [writeMarkdownTable(answer.rows)] : []),
    ].join('\n\n')
  })
  const notes = table.notes.length > 0 ? `\n\n## How the file was read\n\n${table.notes.map((note) => `- ${note}`).join('\n')}` : ''
  return `# Answer\n\nFrom “${table.name}”: ${table.rows.toLocaleString('en-US')} rows, ${table.columns.length} columns.\n\n${blocks.join('\n\n')}${notes}\n`
}
