/** Candidates that convert or repair a file, or match two tables. */
import type { DataTable } from '../../tools/tables/reading/table/read-attached-table.ts'
import type { RequestedOperation } from './find-requested-operations.ts'
import type { GoalParts } from './read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from './reading-candidate.ts'

type Format = 'html' | 'markdown' | 'json' | 'yaml' | 'csv'
const formats: readonly (readonly [Format, RegExp])[] = [
  ['html', /\bhtml\b|web ?(?:page|site)|webseite|homepage|site web|página web|la web|网页/iu],
  ['markdown', /\bmarkdown\b|\bmd\b/iu],
  ['json', /\bjson\b/iu],
  ['yaml', /\bya?ml\b/iu],
  ['csv', /\bcsv\b|excel|spreadsheet|tabelle|tableur|hoja de cálculo|表格/iu],
]

export function suggestFileReadings(goal: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  return [...convertCandidates(goal, operations), ...pairCandidates(goal, operations)]
}

const looksLikeMarkdown = /^#{1,6} |^\s*[-*] |\*\*[^*]+\*\*|^\|.*\|\s*$|\[[^\]]+\]\([^)]+\)/m
const looksLikeHtml = /<(?:html|body|p|h[1-6]|table|ul|ol|div|span|a|br)\b[^>]*>/i
const looksLikeJson = /^\s*[[{]/

function convertCandidates(goal: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  const { documents, material, tables, files, request, english } = goal
  const named = formats.filter(([, pattern]) => pattern.test(`${request} ${english}`)).map(([format]) => format)
  const matchedWords = [
    ...['convert', 'format', 'hide'].flatMap((operation) => plainWords(operations.get(operation as RequestedOperation) ?? '')),
    ...named,
    'table',
    'tabelle',
    'tableau',
    'tabla',
    'stay',
  ]
  const [file] = documents
  const head = documents.length > 1 ? undefined : (file?.head ?? (tables.length === 0 ? material : undefined))
  const place = (sentence: string): string[] => (file || material === undefined ? [sentence] : [`${sentence}:\n\n${material}`])
  const found: ReadingCandidate[] = []
  if (tables.length === 1 && files.length === 1 && (operations.has('convert') || operations.has('format')))
    for (const format of named) {
      if (format === 'json' || format === 'csv')
        found.push({ texts: [`Convert the table to ${format.toUpperCase()}`], skillId: 'table.convert', matchedWords })
      if (format === 'markdown') found.push({ texts: ['Convert the table to a Markdown table'], skillId: 'table.convert', matchedWords })
    }
  const isJsonFile = files.some(({ type, name }) => type === 'table.json' || /\.json$/i.test(name))
  if (isJsonFile || (head !== undefined && looksLikeJson.test(head)))
    found.push(...jsonCandidates(named, operations, { place, matchedWords }))
  if (head === undefined) return found
  if (named.includes('html') && looksLikeMarkdown.test(head) && !looksLikeHtml.test(head))
    found.push({ texts: place('Convert the Markdown text to HTML'), skillId: 'format.markdown', matchedWords })
  if (named.includes('markdown') && looksLikeHtml.test(head))
    found.push({ texts: place('Convert the HTML to Markdown'), skillId: 'format.markdown', matchedWords })
  return found
}

type Placed = { readonly place: (sentence: string) => string[]; readonly matchedWords: readonly string[] }

function jsonCandidates(
  named: readonly Format[],
  operations: ReadonlyMap<RequestedOperation, string>,
  { place, matchedWords }: Placed,
): ReadingCandidate[] {
  if (named.includes('yaml')) return [{ texts: place('Convert the JSON to YAML'), skillId: 'format.json', matchedWords }]
  return operations.has('format') ? [{ texts: place('Repair and format the JSON'), skillId: 'format.json', matchedWords }] : []
}

/** What is open after the amounts of both tables are matched. */
function differenceCandidates(
  [first, second]: readonly [DataTable, DataTable],
  operations: ReadonlyMap<RequestedOperation, string>,
): ReadingCandidate[] {
  const amountOf = ({ columns }: DataTable, pattern: RegExp) => columns.find(({ kind, name }) => kind === 'number' && pattern.test(name))
  const due = amountOf(first, /gross|total|due|amount|brutto|betrag|summe|ttc|montant|importe|金额/iu)
  const paid = amountOf(second, /paid|amount|received|bezahlt|betrag|gezahlt|payé|montant|pagad|importe|金额|已付/iu)
  // “No” in a heading would be read as a word of its own.
  const key = first.columns.find(({ kind, name }) => kind === 'text' && !/\bno\b/i.test(name))
  if (!due || !paid || !key || due.name === paid.name) return []
  const matchedWords = (['unmatched', 'compare', 'missing', 'list', 'total'] as const).flatMap((operation) =>
    plainWords(operations.get(operation) ?? ''),
  )
  const open = `(${due.name} - ${paid.name})`
  return [
    {
      texts: [`Join ${first.name} with ${second.name}. List ${key.name}, ${due.name}, ${paid.name}, ${open} where ${open} is more than 0`],
      ...{
        skillId: 'table.join',
        matchedWords: [
          ...matchedWords,
          ...plainWords(`${due.name} ${paid.name} ${key.name} ${first.name} ${second.name} lines amount reference paid`),
        ],
      },
    },
  ]
}

/** An amount of one table for each group of the other, after rows with the same key are joined. */
function groupedCandidates(
  tables: readonly [DataTable, DataTable],
  operations: ReadonlyMap<RequestedOperation, string>,
  request: string,
): ReadingCandidate[] {
  if (!operations.has('total')) return []
  const words = new Set(plainWords(request))
  return [tables, tables.toReversed()].flatMap(([facts, labels]): ReadingCandidate[] => {
    const keys = facts?.columns.filter(({ name }) => labels?.columns.some((one) => one.name === name)) ?? []
    const amounts = facts?.columns.filter((column) => column.kind === 'number' && !keys.includes(column)) ?? []
    const group = labels?.columns.find(({ name, kind }) => kind === 'text' && plainWords(name).every((word) => words.has(word)))
    const [amount] = amounts
    if (!facts || !labels || !amount || amounts.length > 1 || keys.length !== 1 || !group) return []
    const order = operations.has('maximum') || operations.has('order') ? ', highest first' : ''
    const text = `Join ${facts.name} with ${labels.name}. What is the total of ${amount.name} per ${group.name}${order}?`
    const matchedWords = [
      ...plainWords(
        `${amount.name} ${group.name} ${facts.name} ${labels.name} ${keys[0]?.name} each per put together money customer number`,
      ),
    ]
    const ofOperations = (['total', 'maximum', 'order', 'list', 'unmatched', 'missing', 'compare'] as const).flatMap((operation) =>
      plainWords(operations.get(operation) ?? ''),
    )
    return [{ texts: [text], skillId: 'table.join', matchedWords: [...matchedWords, ...ofOperations] }]
  })
}

const eachWords = /\b(?:each|every|all|jede[rmns]?|alle[nr]?|chaque|tou(?:s|tes)|cada|todos?|todas?)\b|每/iu
const addingWords =
  /(?<!\p{L})(?:add|put|write|show|append|include|fill in|schreib\p{L}*|füg\p{L}*|ergänz\p{L}*|zeig\p{L}*|ajout\p{L}*|mets|mettre|indiqu\p{L}*|affich\p{L}*|añad\p{L}*|pon|agreg\p{L}*)(?!\p{L})|加上|补上|添加/iu

/** “The name of the customer beside each order”: a text column of one table is added to the rows of the other. */
function addedColumnCandidates(tables: readonly [DataTable, DataTable], request: string): ReadingCandidate[] {
  if (!eachWords.test(request) || !addingWords.test(request)) return []
  const words = wordsIn(request)
  return [tables, tables.toReversed()].flatMap(([rows, labels]): ReadingCandidate[] => {
    const keys = rows?.columns.filter(({ name }) => labels?.columns.some((one) => one.name === name)) ?? []
    const named = labels?.columns.find(
      (column) => column.kind === 'text' && !keys.some(({ name }) => name === column.name) && isNamed(column.name, words),
    )
    if (!rows || !labels || keys.length !== 1 || !named || rows.columns.some(({ name }) => name === named.name)) return []
    const matchedWords = plainWords(`${request} ${rows.name} ${labels.name}`)
    return [{ texts: [`Join ${rows.name} with ${labels.name}`], skillId: 'table.join', matchedWords }]
  })
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** A heading is named by its words, also with an ending: “Namen” for “Name”. */
function isNamed(heading: string, words: readonly string[]): boolean {
  const parts = wordsIn(heading)
  const isPart = (part: string, word: string) =>
    word === part || (part.length > 3 && word.startsWith(part) && word.length < part.length + 3)
  return parts.length > 0 && parts.every((part) => words.some((word) => isPart(part, word)))
}

function pairCandidates({ tables, files, request }: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  const [first, second] = tables.map(({ table }) => table)
  if (!first || !second || tables.length !== 2 || files.length !== 2) return []
  const added = addedColumnCandidates([first, second], request)
  const isAsked = operations.has('unmatched') || operations.has('compare') || operations.has('missing')
  if (!isAsked && !operations.has('total')) return added
  const matchedWords = (['unmatched', 'compare', 'missing', 'list'] as const).flatMap((operation) =>
    plainWords(operations.get(operation) ?? ''),
  )
  const nouns = (table: DataTable): string[] => plainWords(table.name).concat(table.columns.flatMap(({ name }) => plainWords(name)))
  const lacking = (a: DataTable, b: DataTable): ReadingCandidate => ({
    texts: [`Which rows of ${a.name} have no match in ${b.name}?`],
    ...{ skillId: 'table.join', matchedWords: [...matchedWords, ...nouns(a)] },
  })
  const joined: ReadingCandidate = {
    texts: [`Join ${first.name} with ${second.name}`],
    ...{ skillId: 'table.join', matchedWords: [...plainWords(operations.get('unmatched') ?? ''), 'both', 'beide', 'deux', 'ambos'] },
  }
  return [
    ...groupedCandidates([first, second], operations, request),
    ...differenceCandidates([first, second], operations),
    lacking(first, second),
    lacking(second, first),
    joined,
  ]
}
