/** The phrases of goals on lines: each reads a part of a sentence into the steps. */

import type { LineGoalReader } from './line-goal-reader.ts'
import type { LineChange, LineGroup } from './line-steps.ts'
import { levelNamed } from './log-level-and-log-time.ts'
import { readLineSearchTerms } from './read-line-search-terms.ts'
import { anyOf, type Phrase, phraseOf, textPointer } from './scan-phrases.ts'

type LinePhrase = Phrase<LineGoalReader>

const thing = anyOf(
  'lines? items? entry entries rows? messages? names? records? ones? elements? values? events? results? strings? addresses cities countries fruits? products? numbers? list terms? titles? things? rest',
)
const dets =
  '(?:(?:all|any|the|these|those|this|that|my|our|its|their|his|her|every|each|both|of|such|other|remaining|exact|log|only|just|a|an) )*'
const things = `(?:${dets}${thing})`
const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const count = `(\\d{1,6}|${numberWords.join('|')})`
const toCount = (phrase: string | undefined): number | undefined =>
  phrase === undefined ? undefined : numberWords.includes(phrase) ? numberWords.indexOf(phrase) + 1 : Number(phrase)

const groupKeys: readonly (readonly [LineGroup, string])[] = [
  ['level', '(?:log |severity )?levels?|severity|severities|log types?'],
  ['hour_of_day', 'hours? of (?:the )?day'],
  ['hour', 'hours?'],
  ['day', '(?:calendar )?(?:days?|dates?)'],
  ['minute', 'minutes?'],
  ['first_word', 'first words?|words? at the start|starting words?'],
  ['ip', 'ip[ -]address(?:es)?|ips?'],
  ['message', '(?:error |log )?messages?'],
  ['line', '(?:different |distinct |unique )?(?:lines?|items?|entry|entries|values?|names?|rows?|elements?|words? in the list|fruits?)'],
]
const key = `(?:${groupKeys.map(([, words]) => words).join('|')})`
const groupOf = (words: string): LineGroup | undefined => groupKeys.find(([, one]) => new RegExp(`^(?:${one})$`).test(words))?.[0]

/** The steps that need a log or lines rather than a list. */
const isField = (reader: LineGoalReader, name: string): boolean =>
  name.length > 1 && new RegExp(`(?<![\\p{L}\\p{N}_])${name}["']?=|["']${name}["']:`, 'iu').test(reader.material ?? '')

function openGroup(
  reader: LineGoalReader,
  words: string,
  more: { top?: number; min?: number; isSmallest?: boolean; isAsked?: boolean } = {},
): boolean {
  const by = groupOf(words)
  if (reader.group || (reader.verb === 'sort' && reader.hasOrder)) return false
  if (by) reader.group = { by, ...more }
  else if (isField(reader, words)) reader.group = { by: 'field', field: words, ...more }
  return reader.group !== undefined
}

const duplicates = '(?:duplicates?|duplicated|dupes?|doubles?|double|repeated|repeats|repetitions|repeating)'
const removing =
  '(?:remove|delete|drop|eliminate|strip|clean|cut|get rid of|filter out|take out|throw out|leave out|ignore|skip|omit|exclude|erase|discard)'
const unique: readonly LinePhrase[] = [
  [
    phraseOf(
      `(?:(?:and |but )?(?:${removing}|no|without|w/o|minus)) (?:(?:all|any|the|of|these|those|my|exact) )*${duplicates}(?: ${things})?|(?:de-?dup(?:e|ed|licate|licated)?|uniq|uniquify)(?: ${things})?`,
    ),
    (reader) => setChange(reader, 'unique'),
  ],
  [
    phraseOf(
      `(?:(?:each|every)(?: ${thing})?,? (?:just |only )?once|(?:just |only )?once each|(?:only )?(?:the )?(?:unique|distinct|different) ${thing})`,
    ),
    (reader) => {
      if (reader.verb === 'remove') return false
      if (reader.verb === undefined) reader.start('keep')
      return reader.change({ do: 'change', change: 'unique' })
    },
  ],
]

function setChange(reader: LineGoalReader, change: LineChange, separator?: string): true {
  if (!reader.isCounted && !reader.group) reader.start('sort')
  return reader.change({ do: 'change', change, ...(separator !== undefined && { separator }) })
}

const first = '(?: (?:first|on top|at the top|at first))'
const orders: readonly LinePhrase[] = [
  [
    phraseOf(
      '(?:(?:in|into|by) )?(?:(?:an?|the) )?(?:(?:reversed?|descending) (?:alphabetical|alphabetic)(?:ly)?(?: order)?|z ?(?:to|-|–) ?a)|from z to a',
    ),
    (reader) => reader.order({ by: 'alphabet', isDescending: true }),
  ],
  [
    phraseOf(
      '(?:(?:in|into|by) )?(?:(?:an?|the) )?(?:ascending )?(?:alphabetical(?:ly)?|alphabetic|abc|a ?(?:to|-|–) ?z)(?: order)?|from a to z|(?:by|after) (?:the )?(?:names?|alphabet|first letter)',
    ),
    (reader) => reader.order({ by: 'alphabet' }),
  ],
  [
    phraseOf('numerically|(?:in|by) (?:numerical|numeric) (?:order|value)|by (?:the )?(?:numbers?|values?|amounts?)|as numbers'),
    (reader) => reader.order({ by: 'number' }),
  ],
  [
    phraseOf(
      '(?:(?:alphabetically|in alphabetical order) )?(?:by|after|according to) (?:(?:their|the|each|its|person) )*(?:last|family|second|sur)[ -]?(?:names?|words?)',
    ),
    (reader) => reader.order({ by: 'last_word' }),
  ],
  [phraseOf('(?:by|according to) (?:(?:their|its|the|line|word|string) )*length'), (reader) => reader.order({ by: 'length' })],
  [
    phraseOf(`(?:from )?(?:the )?shortest(?:${first}| to (?:the )?longest)`),
    (reader) => reader.order({ by: 'length', isDescending: false }),
  ],
  [
    phraseOf(`(?:from )?(?:the )?longest(?:${first}| to (?:the )?shortest)`),
    (reader) => reader.order({ by: 'length', isDescending: true }),
  ],
  [
    phraseOf(`(?:from )?(?:the )?(?:highest|largest|biggest|greatest)(?:${first}| to (?:the )?(?:lowest|smallest))`),
    (reader) => reader.order({ by: 'number', isDescending: true }),
  ],
  [
    phraseOf(`(?:from )?(?:the )?(?:lowest|smallest)(?:${first}| to (?:the )?(?:highest|largest|biggest|greatest))`),
    (reader) => reader.order({ by: 'number', isDescending: false }),
  ],
  [
    phraseOf('chronologically|in chronological order|by (?:the )?(?:time ?stamps?|time|dates?|date and time)|(?:oldest|earliest) first'),
    (reader) => reader.order({ by: 'time' }),
  ],
  [phraseOf('(?:newest|latest|most recent) first'), (reader) => reader.order({ by: 'time', isDescending: true })],
  [
    phraseOf('(?:in )?(?:an? )?(?:ascending|asc|increasing)(?: order)?'),
    (reader) => reader.hasOrder && reader.order({ isDescending: false }),
  ],
  [
    phraseOf('(?:in )?(?:an? )?(?:reversed?|descending|desc|decreasing|backwards?)(?: order)?'),
    (reader) => reader.hasOrder && reader.order({ isDescending: true }),
  ],
  [
    phraseOf(`(?:reverse|flip|invert)(?: the)?(?: order)?(?: of)?(?: ${things})?(?: order)?|in reverse(?: order)?`),
    (reader, [phrase]) => /order|line|item|list|entries|rows|in reverse/.test(phrase) && setChange(reader, 'reverse'),
  ],
]

const lists: readonly LinePhrase[] = [
  [
    phraseOf(
      `(?:number|enumerate) (?!of)${things}|add (?:line )?numbers(?: (?:to|before|in front of) ${things})?|(?:(?:make|turn|convert|format|put|write)(?: (?:it|them|this|these|${things}))? )?(?:as|into|to|in)? ?an? (?:numbered|ordered) list|with line numbers|numbered`,
    ),
    (reader) => setChange(reader, 'number'),
  ],
  [
    phraseOf(
      `(?:(?:make|turn|convert|format|put|write)(?: (?:it|them|this|these|${things}))? )?(?:(?:as|into|to|in|with)? ?(?:an? )?(?:bullet(?:ed)?(?:[- ]points?)?|unordered) list|(?:as|into|to|in|with) (?:bullet ?points|bullets))|add bullet(?:s| points)(?: to ${things})?|bulleted`,
    ),
    (reader) => setChange(reader, 'bullets'),
  ],
  [phraseOf(`${removing} ${dets}(?:blank|empty) (?:lines?|rows?|items?|ones?)`), (reader) => setChange(reader, 'remove_blank')],
  [
    phraseOf(`${dets}(?:blank|empty) (?:lines?|rows?|items?|ones?)`),
    (reader) => (reader.verb === 'remove' || reader.isNegated) && reader.change({ do: 'change', change: 'remove_blank' }),
  ],
  [
    phraseOf(
      `trim(?: ${things})?|${removing} ${dets}(?:leading and trailing|leading|trailing|surrounding) (?:white ?)?spaces?(?: (?:of|from|around) ${things})?`,
    ),
    (reader) => setChange(reader, 'trim'),
  ],
  [
    phraseOf(
      `(?:(?:make|convert|turn|change|transform|put|write|set) (?:(?:it|them|everything|all|the|each|every|this|these|lines?|items?|names?|words?|list) )*)?(?:(?:to|into|in|as) )?(?:all )?(upper|lower|title)[- ]?case(?: letters)?`,
    ),
    (reader, match) => setChange(reader, match[1] === 'upper' ? 'upper_case' : match[1] === 'lower' ? 'lower_case' : 'title_case'),
  ],
  [
    phraseOf(
      `(?:(?:join|combine|merge|concatenate|connect)(?: (?:it|them|${things}))?(?: (?:together|into one line|on one line|in one line))? )?(?:(?:with|by|using|separated by|divided by|delimited by) (?:an? )?(commas?|semicolons?|pipes?|tabs?|spaces?|⟦\\d+⟧)(?: between (?:them|${things}))?|(?:(?:make|turn|convert|change|format|transform)(?: (?:it|them|this|these|${things}))? )?(?:(?:as|into|to) )?(?:a )?comma[- ](?:separated|delimited)(?: list)?)`,
    ),
    (reader, match) => joinWith(reader, match[1]),
  ],
  [
    phraseOf('(?:with )?(?:only )?(?:one|each)(?: (?:item|name|entry|word|one))? (?:per|a|on (?:its|a) (?:own|new|separate)) line'),
    (reader) => setChange(reader, 'join', '\n'),
  ],
]

function joinWith(reader: LineGoalReader, phrase: string | undefined): boolean {
  const named: { readonly [word: string]: string } = { comma: ', ', semicolon: '; ', pipe: ' | ', tab: '\t', space: ' ' }
  const quoted = /^⟦(\d+)⟧$/.exec(phrase ?? '')
  const separator = quoted ? reader.quotations[Number(quoted[1])] : named[(phrase ?? 'comma').replace(/s$/, '')]
  return separator !== undefined && setChange(reader, 'join', separator)
}

const extreme = '(?:most|fewest|least|highest number|largest number|lowest number|smallest number)'
const isSmallest = (phrase: string): boolean => /fewest|least|lowest|smallest/.test(phrase)
const groups: readonly LinePhrase[] = [
  [
    phraseOf(
      `(?:the )?(?:top )?(?:${count} )?(most (?:common|frequent|repeated|often)|commonest|least (?:common|frequent)) (${key}|errors?|warnings?)`,
    ),
    (reader, [, phrase, how = '', what = '']) => readCommonest(reader, toCount(phrase), how, what),
  ],
  [
    phraseOf(`top ${count} (ips?|ip addresses|error messages|messages)`),
    (reader, [, n, what = '']) => readCommonest(reader, toCount(n), '', what),
  ],
  [
    phraseOf(
      `how (?:often|many times)(?: (?:does|do|did|is|was))? (?:each|every)(?: (?:of )?(?:the|these|different))? (${key})(?: (?:occurs?|occurred|appears?|appeared|comes up|shows up|there|listed|mentioned))*`,
    ),
    (reader, [, what = '']) => reader.start('ask') && openGroup(reader, what),
  ],
  [
    phraseOf(`(?:count )?(?:the )?(?:number of )?(?:occurrences?|frequency|frequencies) (?:of|for) (?:each|every|all|the) (${key})`),
    (reader, [, what = '']) => reader.start('ask') && openGroup(reader, what),
  ],
  [phraseOf(`count (?:each|every) (${key})`), (reader, [, what = '']) => reader.start('ask') && openGroup(reader, what)],
  [
    phraseOf(`(?:in |at |on |during |from |for )?(?:which|what) ([\\p{L}_]+ addresse?s?|hours? of (?:the )?day|[\\p{L}_]+)`),
    (reader, [, what = '']) => {
      if (!groupOf(what) && !isField(reader, what)) return false
      if (groupOf(what) === 'line') return false
      return reader.start('ask') && openGroup(reader, what, { isAsked: true })
    },
  ],
  [
    phraseOf(`(?:the )?(?:busiest|peak) (${key})|(?:the )?(${key}) (?:with|that has|that had|having) (?:the )?(${extreme})(?: of)?`),
    (reader, [, busy, what, how = 'most']) => {
      const isOpen = reader.verb === 'keep' || reader.verb === 'ask' || reader.verb === undefined
      return (
        isOpen && reader.start('ask') && openGroup(reader, busy ?? what ?? '', { top: 1, ...(isSmallest(how) && { isSmallest: true }) })
      )
    },
  ],
  [
    phraseOf(
      `(?:(?:grouped|group(?: (?:it|them|${things}))?|broken down|split(?: up)?|separately|count(?:ed)?) )?(?:by|per|for each|for every|in each|in every|on each|of each|at each)(?: the| log)? (${key}|[\\p{L}_]+)`,
    ),
    (reader, [, what = '']) => openGroup(reader, what),
  ],
  [
    phraseOf(
      `(?:(?:find|show|list|give|get|which|what|how many|count|are|is|there|any|tell|identify|spot)(?: me)? (?:(?:the|all|any|there|are|of) )*)(?:duplicates|duplicate ${thing}|repeated ${thing}|${things} (?:(?:are|is|occur|occurs|appear|appears) )?(?:(?:listed|there|in there) )?(?:duplicated|repeated|more than once|twice or more|multiple times|several times))`,
    ),
    (reader) => reader.start('ask') && openGroup(reader, 'lines', { min: 2 }),
  ],
  [
    phraseOf(`(?:the )?(${extreme})(?: (?:of|often|frequent|frequently|common))*`),
    (reader, [, how = '']) => {
      if (!reader.group?.isAsked || reader.group.top !== undefined) return false
      Object.assign(reader.group, { top: 1, ...(isSmallest(how) && { isSmallest: true }) })
      return true
    },
  ],
]

function readCommonest(reader: LineGoalReader, phrase: number | undefined, how: string, what: string): boolean {
  const level = levelNamed(what.replace(/ messages?$/, ''))
  const top = phrase ?? (/(?:s|entries)$/.test(what) && !/address$/.test(what) ? 10 : 1)
  reader.start('ask')
  if (level && !reader.test('level', [level])) return false
  return openGroup(reader, level ? 'messages' : what, { top, ...(isSmallest(how) && { isSmallest: true }) })
}

const surest = 'errors?|errs?|warnings?|warns?|infos?|debugs?|fatals?|ERROR|WARN|WARNING|INFO|DEBUG|FATAL|CRITICAL|TRACE|NOTICE'
const levelWord = `(?:${surest}|critical|trace|notice)`
const clock = "(\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]m)?|\\d{1,2} ?(?:am|pm|o'clock))"
const tests: readonly LinePhrase[] = [
  [
    phraseOf(
      `(?:(?:of|at|with|the|a|an|any|all|severity|log) )*(?:levels? )?(${levelWord}(?:(?: ?[/,|&+] ?| and | or |, and |, or )(?:the )?${levelWord})*)(?: (?:levels?|logs?|lines?|messages?|entries|entry|events?|records?|rows?|ones|items?))*`,
    ),
    (reader, match) => readLevels(reader, match),
  ],
  [
    phraseOf(`(?:logged )?(?:between|from) ${clock} (?:and|to|until|till|-|–) ${clock}`),
    (reader, [, from = '', to = '']) => reader.test('time', [toClock(from), toClock(to)]),
  ],
  [
    phraseOf(`(?:logged )?(?:after|since|from) ${clock}(?: on(?:wards?)?)?`),
    (reader, [, from = '']) => reader.test('time', [toClock(from), '23:59:59']),
  ],
  [phraseOf(`(?:logged )?(?:before|until|till|up to) ${clock}`), (reader, [, to = '']) => reader.test('time', ['00:00', toClock(to)])],
  [
    phraseOf(
      "(?:(?:that|which|who) )?(?:(?:do|does|did)( not|n't) |(not) )?(?:(?:do|does|did) )?(contain(?:s|ing|ed)?|includ(?:e|es|ing)|mention(?:s|ing)?|match(?:es|ing)?|(?:start|begin)(?:s|ing|ning)? with|end(?:s|ing)? (?:with|in)|with|without|having|has|have|for|about|say(?:s|ing)?|grep(?: for)?|filter (?:for|by|on)|search for)",
    ),
    (reader, match) => {
      if (/^(?:grep|filter|search)/.test(match[0])) reader.start('keep')
      return reader.verb !== undefined && readLineSearchTerms(reader, match)
    },
  ],
  [
    phraseOf(`(⟦\\d+⟧|[\\p{L}\\p{N}_.=/-]+) (?:lines?|messages?|entries|rows|records|events)`),
    (reader, [, word = '']) => readAdjective(reader, word),
  ],
  [
    phraseOf(
      '(?:(?:that|which) (?:are|is|have|has) |with |having )?(longer|shorter|more|fewer|less) than (\\d{1,6}|[a-z]+) (?:characters?|chars?|letters)(?: long)?',
    ),
    (reader, [, how = '', phrase]) => {
      const limit = toCount(phrase)
      if (limit === undefined || Number.isNaN(limit) || limit < 1 || !(reader.isAboutLines || reader.verb)) return false
      if (reader.verb === undefined) reader.start('keep')
      return reader.test(/longer|more/.test(how) ? 'longer' : 'shorter', [String(limit)])
    },
  ],
  [
    phraseOf('(?:requests?|hits|visits|accesses|calls)'),
    // In the log of a web server, each line is one.
    (reader) => {
      reader.isAboutLines = true
      return /"(?:GET|POST|HEAD|PUT|DELETE|OPTIONS|PATCH) /.test(reader.material ?? '')
    },
  ],
  [
    phraseOf('(?:time-?outs|failures|exceptions|retries|crashes|disconnects)'),
    (reader, [word]) => reader.verb === 'count' && readAdjective(reader, word),
  ],
]

/** `9:05 pm` is `21:05`. */
function toClock(phrase: string): string {
  const [, hour = '0', rest = ':00', half] = /^(\d{1,2})((?::\d{2}){0,2})? ?([ap]m|o'clock)?$/.exec(phrase) ?? []
  const hours = half === 'am' || half === 'pm' ? (Number(hour) % 12) + (half === 'pm' ? 12 : 0) : Number(hour)
  return `${String(hours).padStart(2, '0')}${rest || ':00'}`
}

function readLevels(reader: LineGoalReader, match: RegExpExecArray): boolean {
  const words = (match[1] ?? '').match(new RegExp(levelWord, 'g')) ?? []
  const at = match.index + match[0].indexOf(match[1] ?? '')
  const isCapital = reader.raw.slice(at, at + (match[1] ?? '').length) !== match[1]
  // “Critical” and “notice” have other meanings as well.
  if (!isCapital && words.some((word) => !new RegExp(`^(?:${surest})$`).test(word))) return false
  const levels = words.map(levelNamed).filter((one) => one !== undefined)
  if (reader.verb === undefined) reader.start('keep')
  return reader.test('level', [...new Set(levels)])
}

/** A word before “lines” is a test only if the text has it. */
function readAdjective(reader: LineGoalReader, word: string): boolean {
  const index = /^⟦(\d+)⟧$/.exec(word)?.[1]
  if (index !== undefined) return reader.test('contains', [reader.quotations[Number(index)] ?? ''])
  const forms = [word, word.replace(/ies$/, 'y'), word.replace(/s$/, '')]
  const other =
    /^(?:all|any|the|these|those|this|that|my|our|only|just|log|text|other|many|both|first|last|longest|shortest|top|blank|empty|different|unique|distinct|duplicate|error|long|short|of|and|or|me|each|every|\d+)$/
  const found = other.test(word) ? undefined : forms.find((one) => reader.material?.toLowerCase().includes(one))
  return found !== undefined && reader.verb !== undefined && reader.verb !== 'sort' && reader.test('contains', [found])
}

const verbs: readonly LinePhrase[] = [
  [
    phraseOf(`(?:the )?(longest|shortest)(?: ${count})? (?:lines?|items?|entry|entries|names?|words?)`),
    (reader, [, end, phrase]) => {
      if (reader.verb === 'count' || reader.verb === 'remove') return false
      return reader.order({ by: 'length', isDescending: end === 'longest' }) && reader.takeLines('first', toCount(phrase) ?? 1, false)
    },
  ],
  [
    phraseOf(
      `(in |of |from |among |within )?(?:the |only |just )*(first|last) (?:${count}(?= |$)(?: (?:lines?|items?|entries|names?|rows?|messages?|ones|of (?:them|these|those)))?|(?:line|item|entry|name|row|message|one)(?!s))`,
    ),
    (reader, [, scope, end, phrase]) => {
      if (reader.verb === undefined) reader.start('keep')
      return reader.takeLines(end === 'last' ? 'last' : 'first', toCount(phrase) ?? 1, scope !== undefined)
    },
  ],
  [
    phraseOf("how many(?: of)?|count(?: up)?|(?:what(?:'s| is|s) )?(?:the )?(?:total |exact )?(?:number|count|amount) of|tally(?: up)?"),
    (reader) => reader.start('count'),
  ],
  [
    phraseOf('(?:re-?)?(?:sort|sorted|sorting|order|ordered|arrange|arranged|alphabeti[sz]e|alphabeti[sz]ed|rank|ranked)'),
    (reader) => reader.start('sort') && reader.order({}),
  ],
  [phraseOf(`${removing}(?: out)?|hide`), (reader) => reader.start('remove')],
  [
    phraseOf(
      '(?:show|list|print|display|give|get|find|keep|filter|extract|output|return|see|grep|pull out|pull|pick out|pick|select|leave|view|retain|fetch|want|need|search|put|only)(?: out| up)?(?: (?:me|us))?(?: (?:only|just))?(?: for)?',
    ),
    (reader, [phrase]) => (phrase === 'only' && reader.verb !== undefined ? true : reader.start('keep')),
  ],
  [
    phraseOf('except(?: for)?|excluding|but not|that are not|which are not|not|other than|apart from|minus|without|no'),
    (reader) => {
      if (reader.isNegated) return false
      if (reader.verb === undefined) reader.start('keep')
      reader.isNegated = true
      return true
    },
  ],
]

const fillers: readonly LinePhrase[] = [
  [
    phraseOf(textPointer),
    (reader) => {
      reader.isAboutLines = true
      return true
    },
  ],
  [phraseOf('(?:of |from |among )?(?:them|those|these|it|which|the rest|the result)'), (reader) => reader.referBack()],
  [
    phraseOf(things),
    (reader) => {
      reader.isAboutLines = true
      return true
    },
  ],
  [
    phraseOf(
      `(?:and|then|also|next|finally|afterwards|after that|first|the|a|an|all|any|everything|every|of|there|are|is|were|was|be|been|do|does|did|had|have|has|occur|occurs|occurred|happen|happens|happened|appear|appears|appeared|in|it|as|here|please|pls|me|us|i|we|you|only|just|each|my|our|its|their|that|this|these|those|in total|altogether|overall|which|what|what's|whats|so|to|logged|written|found|again|at the end|into|below|above|shows? up|comes? up|came up|tell me|let me know|often|times)`,
    ),
    () => true,
  ],
]

/** In order of precedence. */
export const linePhrases: readonly LinePhrase[] = [
  ...unique,
  ...lists,
  ...groups,
  ...orders,
  ...verbs.slice(0, 2),
  ...tests,
  ...verbs.slice(2),
  ...fillers,
]
