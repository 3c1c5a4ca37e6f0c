/** The ports and checks that all tools over an attached table have in common. */
import { isEnglish } from '../numbers/is-english.ts'
import type { GoalFile, ToolGoal, ToolSkill } from '../tool.ts'
import type { ReadTableContext } from './reading/question/question-reading.ts'
import { type DataTable, readAttachedTable, readAttachedTables } from './reading/table/read-attached-table.ts'
import { indexCells } from './reading/words/find-cell-values.ts'

type Port = ToolSkill['inputs'][number]

/** A small table as a part of the query. */
export const pastedTable = {
  table: { type: 'string', maxLength: 8_000, description: 'The table as CSV or a JSON list, unless a file has it.' },
} as const

/** The query of one text, and the table as CSV or JSON, of which one must be there. */
export function tablePorts(type: string, property: string, description: string): Port[] {
  const schema = {
    type: 'object',
    required: [property],
    properties: { [property]: { type: 'string', minLength: 1, maxLength: 4_000, description }, ...pastedTable },
  }
  return [
    { name: 'query', type, description, optional: false, schema },
    { name: 'table', type: 'table.csv', description: 'A CSV file of at most 2 MiB.', optional: true },
    { name: 'records', type: 'table.json', description: 'A JSON file of at most 2 MiB, instead of a CSV file.', optional: true },
  ]
}

/** The first attached table. */
export const attachedTable = (goal: ToolGoal): GoalFile | undefined =>
  goal.files.find(({ type }) => type === 'table.csv') ?? goal.files.find(({ type }) => type === 'table.json')

/** The head of an attached table as a table: without its last, perhaps broken line, unless it is the whole file. Undefined if it cannot be read. */
export const readHead = (file: GoalFile): ReadTableContext | undefined =>
  readHeadWith(file, (text, name) => [readAttachedTable(text, name)])?.[0]

/** The same for questions: several tables of nested JSON, outer ones first. */
export const readHeads = (file: GoalFile): readonly ReadTableContext[] | undefined => readHeadWith(file, readAttachedTables)

function readHeadWith(file: GoalFile, read: (text: string, name: string) => readonly DataTable[]): readonly ReadTableContext[] | undefined {
  if (file.head === undefined) return undefined
  const isJson = file.type === 'table.json' || /^\s*[[{]/.test(file.head)
  const parts = isJson ? [closeRecords(file.head)] : [withoutLastLine(file.head)]
  for (const text of isJson || file.isWhole ? [file.head, ...parts] : [...parts, file.head]) {
    try {
      return read(text, file.name).map((table) => ({ table, cells: indexCells(table) }))
    } catch {
      // The head ends within a cell.
    }
  }
  return undefined
}

function withoutLastLine(head: string): string {
  const end = head.lastIndexOf('\n')
  return end > 0 && head.indexOf('\n') < end ? head.slice(0, end) : head
}

/** The JSON up to its last whole record, with the brackets that are open there closed. */
function closeRecords(head: string): string {
  const open: string[] = []
  let [isText, end, closing] = [false, 0, '']
  for (let at = 0; at < head.length; at++) {
    const mark = head[at] ?? ''
    if (isText) {
      if (mark === '\\') at++
      else if (mark === '"') isText = false
    } else if (mark === '"') isText = true
    else if (mark === '{') open.push('}')
    else if (mark === '[') open.push(']')
    else if (mark === '}' || mark === ']') {
      open.pop()
      if (mark === '}') [end, closing] = [at + 1, open.toReversed().join('')]
    }
  }
  return end === 0 ? head : `${head.slice(0, end)}${closing}`
}

const otherOutput =
  /\b(?:reports?|charts?|graphs?|plots?|plotted|diagrams?|dashboards?|visuali[sz]\w*|figures?|infographics?|trends?|analy[sz]e[sd]?|analysis|analyses|analytics|insights?|summari[sz]e\w*|summary of|write-?up|essay|article|presentation|slides?|letter|poem|story|translate|translation|explain|website|web page|pdf|docx?|scrape|google|latest news|python|code|script|sql)\b/i

/** To e-mail is other work; a column of e-mail addresses is none. */
const asVerb =
  /(?:^|[.!?,;]\s*|\b(?:then|please|you|to|an?|by|via|me)\s+)e-?mail\b(?! (?:address|column|field|is|are|missing))|\band\s+e-?mail\b(?! (?:address(?:es)?|column|field|is|are|missing|where|whose|of|for|from|in|with)\b|[.?]?\s*$)/i

/** True for goals that ask for a report, a chart, an analysis or a text. */
export const asksForOtherOutput = (words: string): boolean => otherOutput.test(words) || asVerb.test(words)

/** True if the words speak of a table. */
export const mentionsTable = (words: string): boolean =>
  /\b(?:tables?|csv|tsv|json|spreadsheets?|excel|data ?sets?|data|columns?|attached|attachment|rows?|records)\b/i.test(words)

/** True if a table tool may read the goal at all. */
export const isTableGoal = (goal: ToolGoal): boolean => isEnglish(withoutHan(goal.words)) && !asksForOtherOutput(goal.words)

/** Headings and cells in Chinese stay in a request that is translated. */
export const withoutHan = (words: string): string => (/[a-z]{3}/i.test(words) ? words.replace(/\p{Script=Han}+/gu, ' ') : words)
