/** Parses the text of a task into intents: questions about records, and changes. */

export type Filter = {
  /** The attribute; undefined if only a value was given, as in "open issues". */
  readonly field: string | undefined
  readonly value: string
  readonly is: 'equal' | 'none' | 'some' | 'over' | 'under'
}
export type Superlative = { readonly by: string; readonly isMax: boolean }

/** Which records are meant. `noun` is empty if only a name was given. */
export type Selection = {
  readonly noun: string
  readonly name: string | undefined
  readonly filters: readonly Filter[]
  readonly pick: Superlative | undefined
}
export type FieldValues = { readonly [field: string]: string }

export type WebIntent =
  | { readonly do: 'count'; readonly of: Selection }
  | { readonly do: 'name'; readonly of: Selection }
  | { readonly do: 'value'; readonly attribute: string; readonly of: Selection }
  | { readonly do: 'sum' | 'average'; readonly attribute: string; readonly of: Selection }
  /** `main`: a value without a field. */
  | {
      readonly do: 'make'
      readonly verb: string
      readonly noun: string
      readonly fields: FieldValues
      readonly main: string | undefined
      readonly within: Selection | undefined
    }
  | { readonly do: 'set'; readonly verb: string; readonly fields: FieldValues; readonly on: Selection }
  | { readonly do: 'put'; readonly into: string; readonly fields: FieldValues; readonly on: Selection }
  | { readonly do: 'buy'; readonly fields: FieldValues; readonly on: Selection }
  | { readonly do: 'act'; readonly verb: string; readonly on: Selection }

/** Quotations are replaced by ⟦n⟧ while the text is parsed. */
const quotation = /["“«„]([^"“”«»„]{1,2000})["”»“]/g
const value = '(?:⟦\\d+⟧|[\\w.-]+)'
const superlatives: { readonly [word: string]: Superlative } = {
  cheapest: { by: 'price', isMax: false },
  'least expensive': { by: 'price', isMax: false },
  'most expensive': { by: 'price', isMax: true },
  lightest: { by: 'weight', isMax: false },
  heaviest: { by: 'weight', isMax: true },
  newest: { by: 'date', isMax: true },
  latest: { by: 'date', isMax: true },
  oldest: { by: 'date', isMax: false },
}
const rising = 'most|highest|largest|greatest|biggest|longest|best'
const falling = 'least|lowest|fewest|smallest|shortest|worst'

/** One intent for each sentence; undefined if one cannot be parsed. */
export function parseWebTask(task: string): WebIntent[] | undefined {
  const quoted: string[] = []
  const words = task
    .replace(quotation, (_, inner: string) => `⟦${quoted.push(inner) - 1}⟧`)
    .replace(/(?:\b(?:on|at|in|from|go to|open|visit) )?https?:\/\/\S+?[,:;]?(?=\s|$)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const unquote = (text: string) => text.replace(/⟦(\d+)⟧/g, (_, index) => quoted[Number(index)] ?? '')
  const sentences = words
    .split(/[.;?!]\s+|,? (?:and )?then /)
    .map((one) =>
      one
        .replace(/(?<![.;?!,\s])[.;?!,\s]+$/, '')
        .replace(/^(?:please|now|on [\w ]{1,30},) /i, '')
        .trim(),
    )
    .filter((one) => /\p{L}/u.test(one.replace(/⟦\d+⟧/g, '')))
  const intents = sentences.map((one) => readSentence(one.charAt(0).toLowerCase() + one.slice(1), unquote))
  return intents.length > 0 && intents.every((one) => one !== undefined) ? intents : undefined
}

type Unquote = (text: string) => string

function readSentence(text: string, unquote: Unquote): WebIntent | undefined {
  const of = (words: string) => parseSelection(words, unquote)
  let match = /^how many (.+?) (?:has|does) (.+?)(?: have)?$/.exec(text)
  if (match) return { do: 'value', attribute: match[1] ?? '', of: of(match[2] ?? '') }
  match = /^how many (.+)$/.exec(text)
  if (match) return { do: 'count', of: of(match[1] ?? '') }
  match = /^what (?:is|are) the (total|sum of|average|mean)(?: of)?(?: the)? (.+?) of (?:all )?(.+)$/.exec(text)
  if (match) return { do: /total|sum/.test(match[1] ?? '') ? 'sum' : 'average', attribute: match[2] ?? '', of: of(match[3] ?? '') }
  match = /^what (?:is|are) the ([\w -]+?) of (.+)$/.exec(text)
  if (match) return { do: 'value', attribute: match[1] ?? '', of: of(match[2] ?? '') }
  match = /^who (?:\w+) (.+)$/.exec(text)
  if (match) return { do: 'value', attribute: 'author', of: of(match[1] ?? '') }
  match = /^(?:which|what) (?:is the )?(.+)$/.exec(text)
  if (match) return { do: 'name', of: of(match[1] ?? '') }
  return readOrder(text, unquote)
}

function readOrder(text: string, unquote: Unquote): WebIntent | undefined {
  const of = (words: string) => parseSelection(words, unquote)
  let match = new RegExp(`^(?:set|change|update) the ([\\w ]+?) of (.+?) to (?:the )?(${value})$`).exec(text)
  if (match) return { do: 'set', verb: 'set', fields: { [match[1] ?? '']: unquote(match[3] ?? '') }, on: of(match[2] ?? '') }
  match = /^(?:add|put) (?:(\d+) (?:of|×) )?(.+?) (?:to|in|into|on) (?:the|my) ([a-z][a-z ]*)$/.exec(text)
  if (match) return { do: 'put', into: match[3] ?? '', fields: match[1] ? { quantity: match[1] } : {}, on: of(match[2] ?? '') }
  match = /^(reply|comment|answer|respond) (?:with )?(⟦\d+⟧) (?:to|on) (.+)$/.exec(text)
  if (match)
    return { do: 'make', verb: 'post', noun: match[1] ?? '', fields: {}, main: unquote(match[2] ?? ''), within: of(match[3] ?? '') }
  match = /^(create|open|start|make|file|write|post|add|submit|leave) (an?|the) (?:new )?(\w+)\b ?(.*)$/.exec(text)
  if (match && (match[2] !== 'the' || match[1] !== 'open')) return readMaking(match[1] ?? '', match[3] ?? '', match[4] ?? '', unquote)
  match = /^(?:order|buy|purchase) (?:(\d+) (?:of|×) )?(.+?)((?: (?:to|with|by|and|at) (?:the )?\w+ ⟦\d+⟧)*)$/.exec(text)
  if (match && !/^the order\b/.test(match[2] ?? ''))
    return { do: 'buy', fields: { ...(match[1] && { quantity: match[1] }), ...fieldsIn(match[3] ?? '', unquote) }, on: of(match[2] ?? '') }
  match = new RegExp(`^(\\w+) (.+) (?:to|as) (?:the )?(?:(\\w+) )?(${value})$`).exec(text)
  if (match)
    return { do: 'set', verb: match[1] ?? '', fields: { [match[3] ?? match[1] ?? '']: unquote(match[4] ?? '') }, on: of(match[2] ?? '') }
  match = /^(\w+) (.+)$/.exec(text)
  return match ? { do: 'act', verb: match[1] ?? '', on: of(match[2] ?? '') } : undefined
}

function readMaking(verb: string, noun: string, rest: string, unquote: Unquote): WebIntent {
  const main = /^⟦\d+⟧/.exec(rest)?.[0]
  const title = /\b(?:titled|named|called) (⟦\d+⟧)/.exec(rest)?.[1]
  const within = /\b(?:to|on|of|about) (the \w+ ⟦\d+⟧|⟦\d+⟧)/.exec(rest)?.[1]
  const fields = { ...(title && { title: unquote(title) }), ...fieldsIn(within ? rest.replace(within, '') : rest, unquote) }
  return { do: 'make', verb, noun, fields, main: main && unquote(main), within: within ? parseSelection(within, unquote) : undefined }
}

/** "with the rating 5 and the text ⟦1⟧ in the category ⟦2⟧". */
function fieldsIn(text: string, unquote: Unquote): FieldValues {
  const found = text.matchAll(/\b(?:with|and|in|as|to|at|by|for) (?:the |an? )?(\w+) (⟦\d+⟧|\d[\d.]*)/g)
  return Object.fromEntries([...found].map(([, field = '', value = '']) => [field, unquote(value)]))
}

export function parseSelection(words: string, unquote: Unquote): Selection {
  const filters: Filter[] = []
  let pick: Superlative | undefined
  const take = (pattern: RegExp, use: (...groups: string[]) => void) => {
    rest = rest.replace(pattern, (...found: unknown[]) => {
      use(...found.slice(1).map((one) => (typeof one === 'string' ? one : '')))
      return ' '
    })
  }
  let rest = ` ${words} `
  take(new RegExp(` (?:with|has|have|having) the (?:(${rising})|(${falling})) ([\\w]+)`), (up = '', _down = '', by = '') => {
    pick = { by, isMax: up !== '' }
  })
  take(new RegExp(` (${Object.keys(superlatives).join('|')})\\b`), (word = '') => {
    pick = superlatives[word]
  })
  take(/ (?:(?:that|which) )?(?:(?:is|are) )?(?:out of stock|sold out)\b/, () => filters.push({ field: 'stock', value: '0', is: 'none' }))
  take(/ (?:(?:that|which) )?(?:(?:is|are) )?in stock\b/, () => filters.push({ field: 'stock', value: '0', is: 'some' }))
  take(/ (?:with|has|have) an? (\w+) (over|above|under|below) \$?(\d[\d.]*)/g, (field = '', way = '', bound = '') =>
    filters.push({ field, value: bound, is: /over|above/.test(way) ? 'over' : 'under' }),
  )
  take(/ (?:(?:that|which|are|is|there|has|have|with|of|in|on|at|from|under|and) )+(?:the |a )?(\w+) (⟦\d+⟧)/g, (field = '', text = '') =>
    filters.push({ field, value: unquote(text), is: 'equal' }),
  )
  take(/ (?:(?:that|which|are|is|were|was) )*(\w+(?:ed|en)) (?:(?:to|as|with|in|for) )?(⟦\d+⟧)/g, (field = '', value = '') =>
    filters.push({ field, value: unquote(value), is: 'equal' }),
  )
  take(/ (?:\w+ed |written )?by (⟦\d+⟧)/g, (value = '') => filters.push({ field: 'author', value: unquote(value), is: 'equal' }))
  const left = rest.replace(/ (?:the|an?|all|any|my|are|there|is|were|was|that|which|have|has|on|this|site)(?= )/g, '').trim()
  const named = /^(.*?) ?(⟦\d+⟧)/.exec(left)
  const before = (named ? (named[1] ?? '') : left).split(/\s+/).filter(Boolean)
  const noun = before.at(-1) ?? ''
  for (const adjective of before.slice(0, -1)) filters.push({ field: undefined, value: adjective, is: 'equal' })
  return { noun, name: named?.[2] ? unquote(named[2]) : undefined, filters, pick }
}
