/** `table.convert`: a table in another format, sorted, with chosen columns, or without duplicate rows. */
import { type OutputFile, refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { splitSentences, stripPoliteness } from '../numbers/split-sentences.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { type DataTable, listColumns, requireTable, type TableColumn } from './read-attached-table.ts'
import { attachedTable, isTableGoal, readHead, tablePorts } from './table-ports.ts'
import { writeCsv, writeMarkdownTable } from './write-table.ts'

const [query, ...files] = tablePorts('query.table_convert', 'request', 'The request in words.')
const skill: ToolSkill = {
  id: 'table.convert',
  name: 'Convert, sort and clean a table',
  description: 'Writes a CSV or JSON table as CSV, JSON or Markdown; sorts it by a column, keeps some columns, and removes duplicate rows.',
  inputs: [
    ...(query
      ? [
          {
            ...query,
            schema: {
              type: 'object',
              properties: {
                format: { enum: ['csv', 'json', 'markdown'], description: 'As the file, if left out.' },
                sort: { type: 'string', maxLength: 200, description: 'Column to sort by.' },
                is_descending: { type: 'boolean', default: false },
                is_unique: { type: 'boolean', default: false, description: 'Leaves out rows that came before.' },
                columns: { type: 'array', items: { type: 'string' }, maxItems: 100, description: 'Columns to keep, in this order.' },
              },
            },
          },
        ]
      : []),
    ...files,
  ],
  outputs: [{ name: 'table', type: 'table.converted', description: 'The table in the new form.', optional: false }],
  price: '150000',
  tags: ['convert', 'csv to json', 'json to csv', 'markdown table', 'sort', 'deduplicate', 'duplicates', 'columns', 'table'],
  samples: [{ title: 'CSV to JSON', input: { format: 'json' }, output: '4 rows and 2 columns as JSON.' }],
}

const formats = {
  csv: /^(?:a )?(?:csv|excel|comma[- ]separated values)(?: file| table| format)?$/,
  json: /^(?:a )?json(?: file| array| format| list| objects)?$/,
  markdown: /^(?:a )?(?:markdown|md)(?: table| file| format)?$/,
} as const
type Format = keyof typeof formats
type Change = {
  readonly format?: Format
  readonly sort?: string
  readonly is_descending?: boolean
  readonly is_unique?: boolean
  readonly columns?: readonly string[]
}

const it =
  '(?:(?:the|this|my|these|our|all|attached|uploaded|following) )*(?:it|table|csv|csv file|json|json file|file|data|data ?set|spreadsheet|sheet|rows|lines|list|entries|records)'

/** The change that one clause asks for; undefined if it asks for something else. */
function readClause(clause: string): Change | undefined {
  const format = new RegExp(
    `^(?:(?:convert|turn|transform|change|export|save|write|give me|output|return|format|make|put|get)(?: ${it})?(?: from (?:csv|json))? )?(?:to|into|as|in) (.+)$`,
  ).exec(clause)?.[1]
  const found = format && (Object.keys(formats) as Format[]).find((name) => formats[name].test(format))
  if (found) return { format: found }
  const short = /^(?:csv|json) ?(?:to|->|→|2) ?(csv|json|markdown)$/.exec(clause)?.[1]
  if (short) return { format: short as Format }
  if (
    new RegExp(
      `^(?:(?:remove|delete|drop|eliminate|filter out|get rid of) (?:all |the |any |exact )*(?:duplicates?|duplicated|repeated|double)(?: rows| lines| entries| records)?(?: (?:from|in|of) ${it})?|(?:deduplicate|dedupe)(?: ${it})?)$`,
    ).test(clause)
  )
    return { is_unique: true }
  const sort = new RegExp(
    `^(?:sort|order)(?: ${it})? by (?:the )?(?:column )?(.+?)(?: column)?(?:,? (?:in )?(descending|ascending|desc|asc|from (?:highest|largest|newest|z) to (?:lowest|smallest|oldest|a)|from (?:lowest|smallest|oldest|a) to (?:highest|largest|newest|z)|highest first|lowest first|newest first|oldest first|alphabetically)(?: order)?)?$`,
  ).exec(clause)
  if (sort?.[1])
    return { sort: sort[1], is_descending: /desc|from (?:highest|largest|newest|z)|(?:highest|newest) first/.test(sort[2] ?? '') }
  const kept = new RegExp(
    `^(?:keep|select|extract|show|give me|leave) only (?:the )?(?:columns? )?(.+?)(?: columns?)?(?: (?:from|of|in) ${it})?$`,
  ).exec(clause)?.[1]
  return kept ? { columns: kept.split(/\s*(?:,|\band\b)\s*/).filter(Boolean) } : undefined
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isTableGoal(goal)) return undefined
  const words = goal.quotations.reduce((text, one) => text.replace(/\s{2,}/, ` ${one} `), goal.words)
  const clauses = splitSentences(words)
    .map((sentence) => stripPoliteness(sentence).replace(/[.!?\s]+$/, ''))
    .filter((sentence) => !/^(?:here is|here's|this is|attached is|see attached)\b/.test(sentence))
    .flatMap((sentence) =>
      sentence.split(
        /,? (?:and then|then|and) (?=(?:convert|turn|export|save|write|output|remove|delete|drop|sort|order|keep|dedup|give|return)\b)/,
      ),
    )
  const changes = clauses.map(readClause)
  if (changes.length === 0 || changes.some((one) => one === undefined)) return undefined
  const change: Change = Object.assign({}, ...changes)
  const file = attachedTable(goal)
  if (!file) return { confidence: 0.65, question: 'Which table is meant? Attach it as a CSV or JSON file.' }
  const head = readHead(file)
  if (file.head !== undefined && !head) return undefined
  const wrong =
    head && [...(change.sort === undefined ? [] : [change.sort]), ...(change.columns ?? [])].filter((name) => !findColumn(head.table, name))
  if (wrong && wrong.length > 0)
    return { confidence: 0.7, question: `The table has no column “${wrong[0]}”. Its columns are ${listColumns(head.table)}.` }
  return {
    // Above the tool for questions, which also knows how to sort.
    confidence: 0.96,
    query: { ...change, columns: [...(change.columns ?? [])] },
    summary: `${describe(change)} “${file.name}”.`,
  }
}

const describe = ({ format, sort, is_unique: isUnique, columns }: Change): string =>
  `I ${[isUnique && 'remove duplicate rows', sort !== undefined && `sort by ${sort}`, columns && `keep ${columns.join(', ')}`, format && `write as ${format}`].filter(Boolean).join(', ')}:`

const findColumn = (table: DataTable, name: string): TableColumn | undefined =>
  table.columns.find((column) => column.name.toLowerCase() === name.trim().toLowerCase())

const needColumn = (table: DataTable, name: string): TableColumn =>
  findColumn(table, name) ?? refuse(`The table has no column “${name.slice(0, 80)}”. Its columns are ${listColumns(table)}.`)

function run(work: SkillRequest): SkillResponse {
  const table = requireTable(work)
  const asked = requireData(work, 'query.table_convert')
  const isJson = work.inputs.some((input) => input.type === 'table.json' && input.text !== undefined)
  const format = asked.format === 'csv' || asked.format === 'json' || asked.format === 'markdown' ? asked.format : isJson ? 'json' : 'csv'
  const columns =
    Array.isArray(asked.columns) && asked.columns.length > 0 ? asked.columns.map((name) => needColumn(table, String(name))) : table.columns
  let rows = Array.from({ length: table.rows }, (_, row) => row)
  if (asked.is_unique === true) rows = withoutDuplicates(table, rows)
  if (typeof asked.sort === 'string') rows = sortRows(needColumn(table, asked.sort), rows, asked.is_descending === true)
  const removed = table.rows - rows.length
  const size = `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'row' : 'rows'} and ${columns.length} ${columns.length === 1 ? 'column' : 'columns'}`
  const note = asked.is_unique === true ? ` ${removed} duplicate ${removed === 1 ? 'row' : 'rows'} removed.` : ''
  return {
    outputs: [fileOf(format, columns, rows)],
    text: `${size} as ${{ csv: 'CSV', json: 'JSON', markdown: 'Markdown' }[format]}.${note}`,
  }
}

function withoutDuplicates(table: DataTable, rows: readonly number[]): number[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const key = JSON.stringify(table.columns.map((column) => column.cells[row]))
    return seen.size < seen.add(key).size
  })
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Missing cells come last in both directions. */
function sortRows(column: TableColumn, rows: readonly number[], isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1
  const compare = (a: number, b: number): number => {
    if (column.kind === 'text') return collator.compare(column.cells[a] ?? '', column.cells[b] ?? '')
    const [x, y] = [a, b].map((row) => (column.kind === 'number' ? column.numbers[row] : column.times[row]?.order))
    return (x ?? 0) - (y ?? 0)
  }
  const isMissing = (row: number): boolean => (column.cells[row] ?? '') === ''
  return rows.toSorted((a, b) => Number(isMissing(a)) - Number(isMissing(b)) || sign * compare(a, b) || a - b)
}

function fileOf(format: Format, columns: readonly TableColumn[], rows: readonly number[]): OutputFile {
  const artifact_type = 'table.converted'
  const names = columns.map((column) => column.name)
  if (format === 'json') {
    const records = rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, jsonOf(column, row)])))
    return { name: 'table.json', media_type: 'application/json', artifact_type, text: `${JSON.stringify(records, null, 2)}\n` }
  }
  const texts = [names, ...rows.map((row) => columns.map((column) => column.cells[row] ?? ''))]
  return format === 'csv'
    ? { name: 'table.csv', media_type: 'text/csv', artifact_type, text: writeCsv(texts) }
    : { name: 'table.md', media_type: 'text/markdown', artifact_type, text: `${writeMarkdownTable(texts)}\n` }
}

/** Numbers stay numbers, and a missing cell is null. A number whose text has a unit stays a text. */
function jsonOf(column: TableColumn, row: number): string | number | null {
  const cell = column.cells[row] ?? ''
  if (cell === '') return null
  const value = column.kind === 'number' ? column.numbers[row] : undefined
  return typeof value === 'number' && column.unit === '' ? value : cell
}

export const tableConvertTool: Tool = { skill, readGoal, run }
