/** Reads what a clause changes in a table: its form, order, columns and rows. */

export const tableFormats = {
  csv: /^(?:an? )?(?:csv|excel|comma[- ]separated values)(?: file| table| format)?$/i,
  json: /^(?:a )?json(?: file| array| format| list| objects)?$/i,
  markdown: /^(?:a )?(?:markdown|md)(?: table| file| format)?$/i,
} as const
export type TableFormat = keyof typeof tableFormats
export type Delimiter = 'comma' | 'semicolon' | 'tab'

/** Names as the client wrote them. They are checked against the table later. */
export type TableChange = {
  readonly format?: TableFormat
  readonly delimiter?: Delimiter
  readonly decimal?: 'point' | 'comma'
  readonly sort?: string
  readonly is_descending?: boolean
  readonly is_unique?: boolean
  readonly columns?: readonly string[]
  readonly dropped?: readonly string[]
  readonly computed?: readonly { readonly name: string; readonly formula: string }[]
  readonly renamed?: readonly { readonly from: string; readonly to: string }[]
  readonly where?: string
  readonly is_excluded?: boolean
  readonly limit?: number
  /** What has a row of its own in nested JSON. Empty: the innermost items. */
  readonly flat?: string
}

const it =
  '(?:(?:the|this|my|these|our|all|attached|uploaded|following|nested) )*(?:it|table|csv|csv file|json|json file|file|data|data ?set|spreadsheet|sheet|rows|lines|list|entries|records|following)'
const pattern = (source: string): RegExp => new RegExp(source.replaceAll('<it>', it), 'i')

const intoFormat = pattern(
  '^(?:(?:convert|turn|transform|change|export|save|write|give me|output|return|format|make|put|get)(?: <it>)?(?: from (?:csv|json))? )?(?:to|into|as|in) (.+)$',
)
/** “make this CSV a Markdown table”. */
const madeFormat = pattern('^(?:make|turn) <it> (an? .+)$')
const shortFormat = /^(?:csv|json) ?(?:to|->|→|2) ?(csv|json|markdown)$/i
const unique = pattern(
  '^(?:(?:remove|delete|drop|eliminate|filter out|get rid of) (?:all |the |any |exact )*(?:duplicates?|duplicated|repeated|double)(?: rows| lines| entries| records)?(?: (?:from|in|of) <it>)?|(?:deduplicate|dedupe)(?: <it>)?)$',
)
const order =
  'descending|ascending|desc|asc|from (?:highest|largest|newest|z) to (?:lowest|smallest|oldest|a)|from (?:lowest|smallest|oldest|a) to (?:highest|largest|newest|z)|(?:highest|largest|biggest|lowest|smallest|newest|latest|oldest|earliest)(?: one| value| number)?s? first|alphabetically'
const sorted = pattern(`^(?:sort|order)(?: <it>)? by (?:the )?(?:column )?(.+?)(?: column)?(?:,? \\(?(?:in )?(${order})(?: order)?\\)?)?$`)
const sortedInOrder = pattern(`^(?:sort|order)(?: <it>)? (${order})(?: order)? by (?:the )?(?:column )?(.+?)(?: column)?$`)
const isDescendingOrder = (text: string): boolean =>
  /desc|from (?:highest|largest|newest|z)|(?:highest|largest|biggest|newest|latest)/i.test(text)
const kept = pattern(
  '^(?:keep|select|extract|show|give me|leave) only (?:the )?(?:columns? )?(.+?)(?: columns?)?(?: (?:from|of|in) <it>)?$',
)
const dropped = /^(?:remove|delete|drop) (?:the )?(?:columns? (.+)|(.+?) columns?)$/i
const limited = /^(?:(?:keep|take|show|give me) )?(?:only )?(?:the )?first (\d{1,6}) (?:rows|lines|records|entries)$/i
const flattened = pattern('^(?:flatten|unnest)(?: <it>)?(?: (?:to|into|as) (.+))?$')
const onePer = /^(?:with |so that there is )?(?:one|a|1) (?:line|row|record|entry) (?:per|for each|for every) (\w{2,30})$/i
const filtered =
  /^(?:keep|filter|leave|extract|export|include|select)(?: me)?(?: only)?(?: all)?(?: the)? (?:rows |records |entries |lines |orders |ones )?((?:where|with|whose|having|for|from|in|by|to|on|when|that) .+)$/i
const excluded =
  /^(?:remove|delete|drop|exclude|filter out|leave out)(?: all)?(?: the)? (?:rows|records|entries|lines|orders|ones) ((?:where|with|without|whose|having|for|from|in|by|when|that) .+)$/i

const listOf = (text: string): string[] => text.split(/\s*(?:,|\band\b)\s*/).filter(Boolean)
const bare = (name: string): string =>
  name
    .trim()
    .replace(/^(?:the |column |header )+/i, '')
    .replace(/ (?:column|header|field)$/i, '')
    .replace(/^["“'‘]|["”'’]$/g, '')
    .trim()

/** The change that one clause asks for; undefined if it asks for something else. */
export function readTableChange(clause: string): TableChange | undefined {
  return (
    readFormat(clause) ??
    readDelimiter(clause) ??
    readOrder(clause) ??
    readAddition(clause) ??
    readRenaming(clause) ??
    readRows(clause) ??
    readColumns(clause)
  )
}

const formatOf = (text: string): TableFormat | undefined =>
  (Object.keys(tableFormats) as TableFormat[]).find((name) => tableFormats[name].test(text))

function readFormat(clause: string): TableChange | undefined {
  const target = (intoFormat.exec(clause) ?? madeFormat.exec(clause))?.[1]
  const format = target === undefined ? undefined : formatOf(target)
  if (format) return { format }
  const short = shortFormat.exec(clause)?.[1]
  if (short) return { format: short.toLowerCase() as TableFormat }
  const flat = flattened.exec(clause)
  if (flat) {
    const wanted =
      flat[1] === undefined ? 'csv' : (formatOf(flat[1]) ?? (/^(?:an? )?(?:flat )?(?:table|list|file)$/i.test(flat[1]) ? 'csv' : undefined))
    return wanted && { format: wanted, flat: '' }
  }
  const per = onePer.exec(clause)?.[1]
  return per === undefined ? undefined : { flat: per }
}

const delimiterNames: { readonly [name: string]: Delimiter } = {
  comma: 'comma',
  commas: 'comma',
  semicolon: 'semicolon',
  semicolons: 'semicolon',
  tab: 'tab',
  tabs: 'tab',
  ',': 'comma',
  ';': 'semicolon',
}
const mark = '(comma|commas|semicolon|semicolons|tab|tabs|,|;)'
const delimiterPatterns = [
  `^(?:change|convert|replace|turn|switch|make)? ?(?:the )?(?:delimiters?|separators?)?(?: from)? ?(?:the )?(?:semicolons?|commas?|tabs?|;|,)(?: delimiters?| separators?)? (?:to|into|with|by|->|→) ${mark}(?: delimiters?| separators?)?$`,
  `^(?:use|write|save|export)(?: it| the file)?(?: with)? ${mark}(?: delimiters?| separators?)?(?: (?:as|for) (?:the )?(?:delimiter|separator))?(?: instead of (?:semicolons?|commas?|tabs?))?$`,
  `^(?:change|set|switch|convert) (?:the )?(?:delimiter|separator) (?:to|into) (?:a )?${mark}$`,
  `^(?:make it |(?:convert|turn|change)(?: <it>)? (?:to|into) |(?:save|write|export)(?: <it>)? as |as |with )?(?:an? )?${mark}[- ](?:separated|delimited)(?: file| csv| values)?$`,
].map(pattern)
const toTabs = pattern('^(?:(?:convert|turn|change|save|write|export|make)(?: <it>)? )?(?:to |into |as )?(?:an? )?tsv(?: file)?$')
const toPoint =
  /^(?:change|convert|replace|turn|switch|use|make|write)? ?(?:the |all )*(?:decimal commas?(?: (?:to|into|with|by|->) (?:(?:a |the )?decimal )?(?:points?|dots?|periods?))|(?:decimal )?(?:points?|dots?|periods?)(?: (?:as|for) (?:the )?(?:decimals?|decimal (?:mark|separator)s?)| instead of decimal commas?)|decimal points?)$/i
const toComma =
  /^(?:change|convert|replace|turn|switch|use|make|write)? ?(?:the |all )*(?:decimal (?:points?|dots?)(?: (?:to|into|with|by|->) (?:(?:a |the )?decimal )?commas?)|decimal commas?|commas? (?:as|for) (?:the )?(?:decimals?|decimal (?:mark|separator)s?))$/i

function readDelimiter(clause: string): TableChange | undefined {
  if (toPoint.test(clause)) return { decimal: 'point' }
  if (toComma.test(clause)) return { decimal: 'comma' }
  for (const one of delimiterPatterns) {
    const name = one.exec(clause)?.[1]?.toLowerCase()
    const delimiter = name === undefined ? undefined : delimiterNames[name]
    if (delimiter) return { delimiter, format: 'csv' }
  }
  return toTabs.test(clause) ? { delimiter: 'tab', format: 'csv' } : undefined
}

function readOrder(clause: string): TableChange | undefined {
  if (unique.test(clause)) return { is_unique: true }
  const reversed = sortedInOrder.exec(clause)
  if (reversed?.[2]) return { sort: bare(reversed[2]), is_descending: isDescendingOrder(reversed[1] ?? '') }
  const plain = sorted.exec(clause)
  // A longer name is another clause.
  if ((plain?.[1] ?? '').split(/\s+/).length > 4) return undefined
  return plain?.[1] ? { sort: bare(plain[1]), is_descending: isDescendingOrder(plain[2] ?? '') } : undefined
}

const adding =
  '^(?:add|create|insert|append|compute|calculate|make|include)(?: me)? (?:an? |another |one |the )?(?:new |extra |calculated |computed |additional )*'
const connector =
  '(?:,? ?(?:which is|that is|which equals|that equals|which contains|that contains|which has|being|equal to|equals|calculated as|computed as|defined as|as|with|from|is|for)(?: the (?:value|values|result|formula))?(?: of)? |\\s*[=:]\\s*)'
const namedColumn = new RegExp(`${adding}column (?:called |named |titled |with the name )?(.{1,60}?)${connector}(.+)$`, 'i')
const leadingName = new RegExp(`${adding}(.{1,40}?) column(?:${connector}|\\s*\\(|\\s+)(.+?)\\)?$`, 'i')
const unnamed = new RegExp(`${adding}column (?:for|with|of|as|=) (.+)$`, 'i')
const trailingName = /^(?:add|include) (.+?) as (?:an? )?(?:new |extra )*column(?: (?:called|named) (.{1,60}))?$/i

function readAddition(clause: string): TableChange | undefined {
  const one = (name: string, formula: string): TableChange => ({ computed: [{ name: bare(name).slice(0, 60), formula: formula.trim() }] })
  const trailing = trailingName.exec(clause)
  if (trailing?.[1]) return one(trailing[2] ?? '', trailing[1])
  const plain = unnamed.exec(clause)
  if (plain?.[1]) return one('', plain[1])
  const named = namedColumn.exec(clause) ?? leadingName.exec(clause)
  if (named?.[1] && named[2]) return one(named[1], named[2])
  return undefined
}

function readRenaming(clause: string): TableChange | undefined {
  const rest = /^(?:rename|call|relabel) (?:the )?(?:columns? |headers? |headings? |fields? )?(.+)$/i.exec(clause)?.[1]
  const changed = rest ?? /^change (?:the )?(?:column|header|heading|field)(?: name)? (.+)$/i.exec(clause)?.[1]
  if (changed === undefined) return undefined
  const renamed = changed.split(/,\s*(?:and )?| and /i).map((part) => {
    const [, from = '', to = ''] = /^(.{1,80}?) ?(?: to | into | as |->|→|=>) ?(.{1,80})$/i.exec(part.trim()) ?? []
    return { from: bare(from), to: bare(to) }
  })
  return renamed.every(({ from, to }) => from !== '' && to !== '') ? { renamed } : undefined
}

function readRows(clause: string): TableChange | undefined {
  const first = limited.exec(clause)?.[1]
  if (first !== undefined) return { limit: Number(first) }
  const out = excluded.exec(clause)?.[1]
  if (out !== undefined) return { where: out, is_excluded: true }
  const where = /^(?:keep|leave|extract|select) only (?:the )?columns?\b/i.test(clause) ? undefined : filtered.exec(clause)?.[1]
  return where === undefined ? undefined : { where }
}

function readColumns(clause: string): TableChange | undefined {
  const removed = dropped.exec(clause)
  if (removed) return { dropped: listOf(removed[1] ?? removed[2] ?? '').map(bare) }
  const columns = kept.exec(clause)?.[1]
  return columns === undefined ? undefined : { columns: listOf(columns).map(bare) }
}
