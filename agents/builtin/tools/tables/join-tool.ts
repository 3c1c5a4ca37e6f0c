/** `table.join`: joins two attached tables, lists the rows without a match, and answers questions over the result. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stemWord } from '../../stem-word.ts'
import { splitSentences } from '../numbers/split-sentences.ts'
import { trimPoliteness } from '../strip-politeness.ts'
import type { GoalFile, Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { answerQuery, labelColumn } from './computing/answer-query.ts'
import { findJoins, type JoinedTable, joinTables, type TableJoin } from './computing/join-tables.ts'
import { readQuestion } from './reading/question/read-question.ts'
import { type DataTable, listColumns, readAttachedTable, type TableColumn } from './reading/table/read-attached-table.ts'
import { indexCells } from './reading/words/find-cell-values.ts'
import { findColumns } from './reading/words/find-columns.ts'
import { readQuestionWords, wordsOfName } from './reading/words/read-question-words.ts'
import { isStopWord, rowNounOf } from './reading/words/stop-words.ts'
import { isTableGoal, readHead, tablePorts } from './table-ports.ts'
import { writeCsv } from './writing/write-table.ts'

const [query, table, records] = tablePorts(
  'query.table_join',
  'request',
  'How the tables are joined, in words, and what is asked of the result.',
)
const keys = {
  key: { type: 'string', maxLength: 200, description: 'Column to join on. Found by its cells, if left out.' },
  other_key: { type: 'string', maxLength: 200, description: 'The same column of the other table.' },
}
const skill: ToolSkill = {
  id: 'table.join',
  name: 'Join two tables',
  description:
    'Puts the matching row of a second CSV or JSON table next to each row of the first, lists the rows without a match, and totals the result.',
  inputs: [
    ...(query
      ? [{ ...query, schema: { ...query.schema, properties: { ...(query.schema as { properties: object }).properties, ...keys } } }]
      : []),
    ...(table ? [table] : []),
    { name: 'other', type: 'table.csv', description: 'The second table, if it is a CSV file.', optional: true },
    ...(records ? [records] : []),
    { name: 'other_records', type: 'table.json', description: 'The second table, if it is a JSON file.', optional: true },
  ],
  outputs: [{ name: 'joined', type: 'table.joined', description: 'The joined table as CSV.', optional: false }],
  price: '300000',
  tags: ['join', 'merge tables', 'combine', 'vlookup', 'match', 'two files', 'csv', 'table'],
  samples: [
    {
      title: 'Orders with their customers',
      input: { request: 'Join both files on the customer id' },
      output: '5 rows of orders.csv joined with customers.csv on customer_id = id. 1 row without a match: 1004 (C9).',
    },
  ],
}

const joinVerb = /\b(?:join|joined|merge|merged|combine|combined|match up|vlookup|lookup|look up|link|connect|enrich)\b/i
/** Joins that keep other rows than this tool does. */
const otherJoin = /\b(?:full|outer|right|cross|anti|fuzzy|append|stack|union|concatenate)\b/i
const joinWords = new Set(
  'join joined merge merged combine combined match up vlookup lookup look link connect enrich both two files file tables table csvs csv them together into one single on by using via with key keys id ids column columns field common shared left inner so that i see can next beside besides behind to each every row rows add put show include bring have having matching corresponding its their attached names fill in'.split(
    ' ',
  ),
)
const unmatchedWords = new Set(
  'list show tell give name report also which what are do does have has had with without no not any matching matched match matches unmatched missing lacking rows row entries entry ones there exist exists appear appears found counterpart if at all left over'.split(
    ' ',
  ),
)
const besideWords = new Set('i we need want would like to see have the a next each every put show me add'.split(' '))
const unmatchedTrigger =
  /\b(?:unmatched|(?:no|without|not|don't|doesn't|do not|does not|lacking|missing)\b.{0,40}\b(?:match\w*|counterpart|exist|found|appear))\b|\b(?:with no|without(?: an?)?|have no|has no)\b/i

type Clauses = {
  readonly key: string | undefined
  readonly isJoin: boolean
  readonly isInner: boolean
  readonly isUnmatched: boolean
  readonly questions: readonly string[]
}
const joint =
  /,? (?:and then|then|and also|and) (?=(?:list|show|tell|give|calculate|compute|sum|count|what|which|how|total|find|report)\b)|, (?=(?:then|also|and) )/i

/** What the clauses ask for. Undefined if a word of a clause has no meaning for a join. */
function readClauses(text: string, tables: readonly [DataTable, DataTable]): Clauses | undefined {
  const clauses = splitSentences(text)
    .flatMap((sentence) => trimPoliteness(sentence).split(joint))
    .map((clause) => trimPoliteness(clause ?? '').replace(/^also,? /i, ''))
    .filter(
      (clause) =>
        clause !== '' && !/^(?:here (?:is|are)|both (?:files|tables) are|these are|attached are|i have|i've got|thanks)\b/i.test(clause),
    )
  let key: string | undefined
  let [isJoin, isInner, isUnmatched] = [false, false, false]
  const questions: string[] = []
  for (const clause of clauses) {
    if (joinVerb.test(clause) && isKnown(clause, joinWords, tables)) {
      key = /\b(?:on|by|using|via)\s+(.{1,80}?)(?=$|[,.]| so\b| to (?:see|get|add|have)| and )/i.exec(clause)?.[1] ?? key
      isJoin = true
      isInner ||= /\binner\b/i.test(clause)
    } else if (/\bnext to (?:each|every)\b/i.test(clause) && isKnown(clause, besideWords, tables)) isJoin = true
    else if (unmatchedTrigger.test(clause) && isKnown(clause, unmatchedWords, tables)) isUnmatched = true
    // Such a clause is on rows without a match, and none on missing cells.
    else if (/\b(?:no|not|without|missing|unmatched|lacking)\b/i.test(clause)) return undefined
    else questions.push(clause)
  }
  return { key, isJoin, isInner, isUnmatched, questions }
}

/** True if every word of a clause is of the kind of clause, a column, or a name of a file. */
function isKnown(clause: string, own: ReadonlySet<string>, tables: readonly [DataTable, DataTable]): boolean {
  const words = readQuestionWords(clause)
  const named = tables.map((one) => findColumns(words, one).filter(({ how }) => how !== 'typo'))
  const files = new Set(tables.flatMap(({ name }) => wordsOfName(name.replace(/\.[a-z]{2,5}$/i, '')).map(stemWord)))
  return words.every(
    ({ lower, stem, kind }, at) =>
      kind === 'mark' ||
      own.has(lower) ||
      tables.some(({ name }) => name.toLowerCase() === lower) ||
      files.has(stem) ||
      (rowNounOf(lower, '') !== undefined && kind === 'word') ||
      named.some((mentions) => mentions.some(({ start, end }) => at >= start && at < end)) ||
      (kind === 'word' && isStopWord(lower) && !meaningful.has(lower)),
  )
}

const meaningful = new Set('not no without last first most least highest lowest total totals number except more less'.split(' '))

/** The columns that the words after "on" name. */
function keyColumns(key: string | undefined, tables: readonly [DataTable, DataTable]): ReadonlySet<TableColumn> {
  if (key === undefined) return new Set()
  const words = readQuestionWords(key)
  return new Set(
    tables.flatMap((one) =>
      findColumns(words, one)
        .filter(({ how }) => how === 'name')
        .map(({ column }) => column),
    ),
  )
}

const namedColumns = (names: readonly string[], tables: readonly [DataTable, DataTable]): ReadonlySet<TableColumn> =>
  new Set(tables.flatMap(({ columns }) => columns.filter(({ name }) => names.includes(name))))

type Planned = { readonly join: TableJoin; readonly clauses: Clauses; readonly joined: JoinedTable }

/** The join; a sentence that states what is missing; or undefined if the words ask for something else. */
function planJoin(text: string, tables: readonly [DataTable, DataTable], keyNames: readonly string[] = []): Planned | string | undefined {
  const clauses = otherJoin.test(text) ? undefined : readClauses(text, tables)
  if (!clauses) return undefined
  const { isJoin } = clauses
  if (!isJoin && (joinVerb.test(text) || (clauses.questions.length === 0 && !clauses.isUnmatched))) return undefined
  const [join, second] = findJoins(
    tables[0],
    tables[1],
    keyNames.length > 0 ? namedColumns(keyNames, tables) : keyColumns(clauses.key, tables),
  )
  const names = tables.map((one) => `${one.name}: ${listColumns(one)}`).join('; ')
  if (!join)
    return isJoin
      ? `No two columns of the tables match, with a key that is unique in one of them. Name the columns, such as “on customer_id = id” (${names}).`
      : undefined
  if (second && keyNames.length === 0 && isAmbiguous(join, second))
    return isJoin ? `Several columns match. Name the one to join on (${names}).` : undefined
  const joined = joinTables(join, clauses.isInner)
  const context = contextOf(joined.table)
  const unread = clauses.questions.flatMap((question) => readQuestion(question, context)).filter((part) => 'reason' in part)
  if (unread.length > 0)
    return isJoin && unread.every((part) => 'unknown' in part && part.unknown.length > 0 && part.unknown.length <= 2)
      ? unread.map((part) => ('reason' in part ? part.reason : '')).join(' ')
      : undefined
  return { join, clauses, joined }
}

const contextOf = (one: DataTable) => ({ table: one, cells: indexCells(one) })

/** Another pair of columns with names as alike would give other rows. */
const isAmbiguous = (join: TableJoin, second: TableJoin): boolean => {
  const isSame = ({ key, otherKey }: TableJoin): boolean => wordsOfName(key.name).join(' ') === wordsOfName(otherKey.name).join(' ')
  return !isSame(join) && !isFileKey(join) && !isSame(second) && (join.key !== second.key || join.otherKey !== second.otherKey)
}

/** `customer_id` in orders.csv and `id` in customers.csv. */
const isFileKey = ({ key, otherKey, other }: TableJoin): boolean => {
  const stem = other.name
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/s$/i, '')
    .toLowerCase()
  return (
    key.name
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .startsWith(stem) && /id|key|no|nr|code|number/i.test(otherKey.name)
  )
}

const tableFiles = (goal: ToolGoal): readonly GoalFile[] => goal.files.filter(({ type }) => type === 'table.csv' || type === 'table.json')

function readGoal(goal: ToolGoal): ToolReading {
  const files = tableFiles(goal)
  const isJoin = joinVerb.test(goal.words)
  if (!isTableGoal(goal)) return undefined
  if (files.length !== 2)
    return isJoin && files.length === 1 && /\b(?:both|two|tables|files)\b/i.test(goal.words) && /\b(?:join|merge)\b/i.test(goal.words)
      ? { confidence: 0.65, question: 'Attach both tables as CSV or JSON files.' }
      : undefined
  const heads = files.map(readHead)
  const [first, second] = heads
  if (!first || !second) return undefined
  const tables = [first.table, second.table] as const
  // A question that one of the tables answers alone is none for a join.
  const isOnMatches = unmatchedTrigger.test(goal.words)
  if (!isJoin && !isOnMatches && [first, second].some((head) => readQuestion(goal.text, head).every((part) => 'query' in part)))
    return undefined
  const planned = planJoin(goal.text, tables)
  if (planned === undefined) return undefined
  if (typeof planned === 'string') return { confidence: 0.86, question: planned }
  const { join, clauses } = planned
  const parts = [
    clauses.isUnmatched && 'list the rows without a match',
    clauses.questions.length > 0 && `answer: ${clauses.questions.join('; ').slice(0, 120)}`,
  ].filter(Boolean)
  return {
    confidence: isJoin || isOnMatches ? 0.96 : 0.9,
    query: { request: goal.text.slice(0, 4_000), key: join.key.name, other_key: join.otherKey.name },
    summary: `I join “${join.table.name}” with “${join.other.name}” on ${join.key.name} = ${join.otherKey.name}${parts.length > 0 ? `, and ${parts.join(', and ')}` : ''}.`,
  }
}

const maxShown = 10

/** `1004 (C9)`: the first cell of the row, and its key. */
function namesOfRows(one: DataTable, key: TableColumn, rows: readonly number[]): string {
  const label = [one.columns[0], labelColumn(one)].find((column) => column !== undefined && column !== key)
  const names = rows.slice(0, maxShown).map((row) => {
    const cell = key.cells[row] || 'empty'
    return label ? `${label.cells[row]} (${cell})` : cell
  })
  return rows.length > maxShown ? `${names.join(', ')} and ${rows.length - maxShown} more` : formatList(names)
}

const counted = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'}`

function run(work: SkillRequest): SkillResponse {
  const { request, key, other_key: otherKey } = requireData(work, 'query.table_join')
  const text = typeof request === 'string' ? request.slice(0, 4_000) : refuse('The query needs a `request`.')
  const inputs = work.inputs.filter(({ type, text: content }) => (type === 'table.csv' || type === 'table.json') && content !== undefined)
  const [first, second] = inputs.map((input, index) => readAttachedTable(input.text ?? '', input.artifact?.name ?? `table ${index + 1}`))
  if (!first || !second) return refuse('Two tables are needed. Attach both as CSV or JSON files.')
  const planned = planJoin(
    text,
    [first, second],
    [key, otherKey].filter((name) => typeof name === 'string'),
  )
  if (planned === undefined) return refuse('I do not see how the tables are to be joined. Name the columns, such as “on customer_id = id”.')
  if (typeof planned === 'string') return refuse(planned)
  const { join, clauses, joined } = planned
  const { unmatched, unused, table: result } = joined
  const answers = clauses.questions
    .flatMap((question) => readQuestion(question, contextOf(result)))
    .flatMap((part) => ('query' in part ? [answerQuery(result, part.query).sentence, ...part.notes] : []))
  const without =
    unmatched.length === 0
      ? ` Every row of ${join.table.name} has a match.`
      : ` ${counted(unmatched.length)} without a match${clauses.isInner ? ', left out' : ''}: ${namesOfRows(join.table, join.key, unmatched)}.`
  const rest = unused.length === 0 ? '' : ` Not used of ${join.other.name}: ${namesOfRows(join.other, join.otherKey, unused)}.`
  const rows = [
    result.columns.map(({ name }) => name),
    ...Array.from({ length: result.rows }, (_, row) => result.columns.map((column) => column.cells[row] ?? '')),
  ]
  return {
    outputs: [{ name: 'joined.csv', media_type: 'text/csv', artifact_type: 'table.joined', text: writeCsv(rows) }],
    text: `${[...new Set(answers)].join(' ')}${answers.length > 0 ? ' ' : ''}${counted(result.rows)} of ${join.table.name} joined with ${join.other.name} on ${join.key.name} = ${join.otherKey.name}.${without}${rest}`,
  }
}

export const tableJoinTool: Tool = { skill, readGoal, run }
