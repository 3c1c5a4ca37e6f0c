/** `table.convert`: a table in another format, sorted, with chosen columns, or without duplicate rows. */
import type { Json } from '@parley/protocol'
import { type OutputFile, requireData, SkillRefused, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stemWord } from '../../stem-word.ts'
import { splitSentences } from '../numbers/split-sentences.ts'
import { trimPoliteness } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { changeTable } from './computing/change-table.ts'
import { readTableChange, type TableChange, type TableFormat, tableFormats } from './reading/question/read-table-change.ts'
import { type DataTable, requireTable, type TableColumn } from './reading/table/read-attached-table.ts'
import { wordsOfName } from './reading/words/read-question-words.ts'
import { attachedTable, isTableGoal, pastedTable, readHead, tablePorts } from './table-ports.ts'
import { writeCsv, writeMarkdownTable } from './writing/write-table.ts'

const [query, ...files] = tablePorts('query.table_convert', 'request', 'The request in words.')
const skill: ToolSkill = {
  id: 'table.convert',
  name: 'Convert, sort, extend and clean a table',
  description:
    'Writes a CSV or JSON table as CSV, JSON or Markdown; adds computed columns, renames and keeps columns, filters and sorts rows, and removes duplicates.',
  inputs: [
    ...(query
      ? [
          {
            ...query,
            schema: {
              type: 'object',
              properties: {
                ...pastedTable,
                format: { enum: ['csv', 'json', 'markdown'], description: 'As the file, if left out.' },
                sort: { type: 'string', maxLength: 200, description: 'Column to sort by.' },
                is_descending: { type: 'boolean', default: false },
                is_unique: { type: 'boolean', default: false, description: 'Leaves out rows that came before.' },
                delimiter: { enum: ['comma', 'semicolon', 'tab'], description: 'Of CSV.' },
                decimal: { enum: ['point', 'comma'], description: 'As the file, if left out.' },
                computed: {
                  type: 'array',
                  maxItems: 20,
                  items: {
                    type: 'object',
                    required: ['name', 'formula'],
                    properties: { name: { type: 'string', maxLength: 60 }, formula: { type: 'string', maxLength: 300 } },
                  },
                  description: 'Columns to add, such as `qty * price`. Without a name, the formula is the name.',
                },
                renamed: {
                  type: 'array',
                  maxItems: 100,
                  items: {
                    type: 'object',
                    required: ['from', 'to'],
                    properties: { from: { type: 'string', maxLength: 80 }, to: { type: 'string', maxLength: 80 } },
                  },
                },
                where: { type: 'string', maxLength: 1_000, description: 'Condition of the rows to keep, in words.' },
                is_excluded: { type: 'boolean', default: false, description: 'Leaves out the rows of the condition instead.' },
                limit: { type: 'integer', minimum: 1, maximum: 100_000, description: 'Rows to keep from the beginning.' },
                flat: { type: 'string', maxLength: 30, description: 'What has a row of its own in nested JSON.' },
                dropped: { type: 'array', items: { type: 'string' }, maxItems: 100, description: 'Columns to leave out.' },
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
  tags: [
    'convert',
    'csv to json',
    'json to csv',
    'markdown table',
    'sort',
    'deduplicate',
    'duplicates',
    'columns',
    'filter rows',
    'rename',
    'flatten',
    'table',
  ],
  samples: [{ title: 'CSV to JSON', input: { format: 'json' }, output: '4 rows and 2 columns as JSON.' }],
}

const isBackground = (sentence: string): boolean =>
  /^(?:here is|here's|this is|attached is|see attached|i have|the file is)\b/i.test(sentence)
const clauseStart =
  '(?:convert|turn|export|save|write|output|remove|delete|drop|sort|order|keep|dedup|give|return|add|rename|filter|flatten|use|make|exclude|change|create|call|replace|leave|include)'
const joint = new RegExp(
  `,? (?:and then|then|and) (?=${clauseStart}\\b)|, (?=${clauseStart}\\b)| (?=with one (?:row|line|record) (?:per|for)\\b)`,
  'i',
)

/** The changes of a clause. A list of changes may have its verb once: "change semicolons to commas and decimal commas to points". */
function readChanges(clause: string): readonly (TableChange | undefined)[] {
  const whole = readTableChange(clause)
  if (whole) return [whole]
  const verb = /^\w+/.exec(clause)?.[0] ?? ''
  return clause.split(/,\s*(?:and )?| and /i).map((part) => readTableChange(part.trim()) ?? readTableChange(`${verb} ${part.trim()}`))
}

/** Later changes of one kind follow earlier ones. */
function mergeChanges(changes: readonly TableChange[]): TableChange | undefined {
  const merged = Object.assign({}, ...changes) as TableChange
  const conditions = changes.filter(({ where }) => where !== undefined)
  if (conditions.length > 1) return undefined
  const [computed, renamed, dropped] = (['computed', 'renamed', 'dropped'] as const).map((key) =>
    changes.flatMap((one) => [...(one[key] ?? [])]),
  )
  return {
    ...merged,
    ...(computed && computed.length > 0 && { computed: computed as TableChange['computed'] & object }),
    ...(renamed && renamed.length > 0 && { renamed: renamed as TableChange['renamed'] & object }),
    ...(dropped && dropped.length > 0 && { dropped: dropped as TableChange['dropped'] & object }),
  }
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isTableGoal(goal)) return undefined
  const words = goal.quotations.reduce((text, one) => text.replace(/\s{2,}/, ` ${one} `), goal.words)
  const clauses = splitSentences(words)
    .map((sentence) => trimPoliteness(sentence).replace(/(?<![.!?\s])[.!?\s]+$/, ''))
    .filter((sentence) => sentence !== '' && !isBackground(sentence))
    .flatMap((sentence) => sentence.split(joint))
    .map((clause) => trimPoliteness(clause ?? ''))
    .filter((clause) => clause !== '')
  const changes = clauses.flatMap(readChanges)
  const read = changes.filter((one) => one !== undefined)
  const change = read.length === changes.length && read.length > 0 ? mergeChanges(read) : undefined
  if (!change) return undefined
  const file = attachedTable(goal)
  if (!file) return { confidence: 0.65, question: 'Which table is meant? Attach it as a CSV or JSON file.' }
  if (goal.files.filter(({ type }) => type.startsWith('table.')).length > 1) return undefined
  const head = readHead(file)
  if (file.head !== undefined && !head) return undefined
  const fault = head && faultOf(head.table, change)
  if (fault !== undefined) return isPlain(change) || file.isWhole ? { confidence: 0.7, question: fault } : undefined
  return {
    // Above the tool for questions, which also knows how to sort.
    confidence: 0.96,
    query: { ...change, columns: [...(change.columns ?? [])] } as unknown as { readonly [key: string]: Json },
    summary: `${describe(change)} “${file.name}”.`,
  }
}

/** A condition can name a cell beyond the head of a long file; other names are those of columns. */
const isPlain = ({ where }: TableChange): boolean => where === undefined

/** Why the change does not fit the table, as a sentence. */
function faultOf(table: DataTable, change: TableChange): string | undefined {
  if (change.flat !== undefined && !isFlatFor(table, change.flat))
    return 'Nested JSON gets one row for each entry of its innermost list. Ask for that, such as “one line per item”.'
  try {
    changeTable(table, change)
    return undefined
  } catch (error) {
    if (error instanceof SkillRefused) return error.message
    throw error
  }
}

/** "one line per item" fits the list “items”. */
const isFlatFor = ({ notes }: DataTable, noun: string): boolean => {
  const list = /^The rows are the list “(.+)” of the JSON\.$/.exec(notes[0] ?? '')?.[1]
  return noun === '' || (list !== undefined && wordsOfName(list).map(stemWord).includes(stemWord(noun)))
}

function describe(change: TableChange): string {
  const { format, sort, columns, computed = [], renamed = [], dropped, where } = change
  const parts = [
    change.flat !== undefined && 'flatten',
    change.is_unique && 'remove duplicate rows',
    computed.length > 0 && `add ${computed.map(({ name, formula }) => (name === '' ? formula : `${name} = ${formula}`)).join(', ')}`,
    where !== undefined && `${change.is_excluded ? 'remove' : 'keep'} the rows ${where}`,
    sort !== undefined && `sort by ${sort}${change.is_descending ? ', descending' : ''}`,
    change.limit !== undefined && `keep the first ${change.limit} rows`,
    columns && columns.length > 0 && `keep ${columns.join(', ')}`,
    dropped && `drop ${dropped.join(', ')}`,
    renamed.length > 0 && `rename ${renamed.map(({ from, to }) => `${from} to ${to}`).join(', ')}`,
    change.decimal && `write decimal ${change.decimal}s`,
    change.delimiter && `write with ${change.delimiter}s`,
    format && !change.delimiter && `write as ${format}`,
  ].filter(Boolean)
  return `I ${parts.join(', ')}:`
}

function run(work: SkillRequest): SkillResponse {
  const table = requireTable(work)
  const change = requireData(work, 'query.table_convert') as TableChange
  const isJson = work.inputs.some((input) => input.type === 'table.json' && input.text !== undefined)
  const format = change.format !== undefined && Object.hasOwn(tableFormats, change.format) ? change.format : isJson ? 'json' : 'csv'
  const { columns, rows, duplicates } = changeTable(table, change)
  const size = `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'row' : 'rows'} and ${columns.length} ${columns.length === 1 ? 'column' : 'columns'}`
  const unique = change.is_unique ? ` ${duplicates} duplicate ${duplicates === 1 ? 'row' : 'rows'} removed.` : ''
  const left = table.rows - duplicates - rows.length
  const removed = change.where !== undefined ? ` ${left} ${left === 1 ? 'row' : 'rows'} left out.` : ''
  const notes = table.notes.filter((note) => /JSON|empty list|Left out/.test(note)).join(' ')
  const file = fileOf(format, columns, { rows, change })
  return {
    outputs: [file],
    text: `${size} as ${{ csv: 'CSV', json: 'JSON', markdown: 'Markdown' }[format]}.${unique}${removed}${notes === '' ? '' : ` ${notes}`}${shownBelow(file, rows)}`,
  }
}

const maxRowsShown = 20
/** The client reads the message before it opens the file. */
const maxCharactersShown = 600

/** A small table as a whole. */
function shownBelow({ name, text }: OutputFile, rows: readonly number[]): string {
  if (name.endsWith('.json')) return ''
  const table = text.replaceAll('\r\n', '\n').trimEnd()
  return rows.length > 0 && rows.length <= maxRowsShown && table.length <= maxCharactersShown ? `\n${table}` : ''
}

type Written = { readonly rows: readonly number[]; readonly change: TableChange }

function fileOf(format: TableFormat, columns: readonly TableColumn[], { rows, change }: Written): OutputFile {
  const artifact_type = 'table.converted'
  const names = columns.map((column) => column.name)
  if (format === 'json') {
    const records = rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, jsonOf(column, row)])))
    return { name: 'table.json', media_type: 'application/json', artifact_type, text: `${JSON.stringify(records, null, 2)}\n` }
  }
  const texts = [names, ...rows.map((row) => columns.map((column) => textOf(column, row, change.decimal)))]
  if (format === 'markdown') return { name: 'table.md', media_type: 'text/markdown', artifact_type, text: `${writeMarkdownTable(texts)}\n` }
  const delimiter = { comma: ',', semicolon: ';', tab: '\t' }[change.delimiter ?? 'comma']
  return delimiter === '\t'
    ? { name: 'table.tsv', media_type: 'text/tab-separated-values', artifact_type, text: writeCsv(texts, delimiter) }
    : { name: 'table.csv', media_type: 'text/csv', artifact_type, text: writeCsv(texts, delimiter) }
}

/** The cell, or its number with another decimal mark and without grouping. */
function textOf(column: TableColumn, row: number, decimal: TableChange['decimal']): string {
  const cell = column.cells[row] ?? ''
  const value = column.numbers[row] ?? null
  if (!decimal || column.kind !== 'number' || value === null) return cell
  return cell.replace(/(?<![-+(])[-+(]*\d[\d.,' ]*\d|(?<![-+(])[-+(]*\d/, (number) => {
    const fraction = /[.,](\d+)$/.exec(number)?.[1] ?? ''
    const isFraction =
      fraction !== '' && Number.isInteger(value) === /^0*$/.test(fraction) && (fraction.length !== 3 || !Number.isInteger(value))
    const text = Math.abs(value).toFixed(isFraction ? fraction.length : 0)
    const sign = value < 0 ? (number.startsWith('(') ? '(' : '-') : ''
    return sign + (decimal === 'comma' ? text.replace('.', ',') : text)
  })
}

/** Numbers stay numbers, and a missing cell is null. A number whose text has a unit stays a text. */
function jsonOf(column: TableColumn, row: number): string | number | null {
  const cell = column.cells[row] ?? ''
  if (cell === '') return null
  const value = column.kind === 'number' ? column.numbers[row] : undefined
  return typeof value === 'number' && (column.unit === '' || column.isAmount !== undefined) ? value : cell
}

export const tableTransformTool: Tool = { skill, readGoal, run }
