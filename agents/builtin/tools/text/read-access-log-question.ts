/** Reads questions on the access log of a web server, word by word. */
import { correctTypingErrors } from '../correct-typing-errors.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'

export const accessGroups = ['ip', 'path', 'status', 'hour', 'day', 'minute', 'method', 'agent', 'referrer'] as const
export type AccessGroup = (typeof accessGroups)[number]
export const accessMeasures = ['requests', 'bytes', 'visitors'] as const

export type AccessReport = {
  /** Undefined: one number for all entries. */
  readonly by?: AccessGroup
  /** Such as `404` or `5xx`. Empty: all. */
  readonly statuses: readonly string[]
  readonly method?: string
  readonly top?: number
  readonly measure: (typeof accessMeasures)[number]
  /** Entries with these paths or addresses do not count. */
  readonly without: readonly string[]
  /** Entries of these paths or addresses only. */
  readonly within: readonly string[]
}

export type AccessQuestion = {
  readonly reports: readonly AccessReport[]
  /** The words name a day, such as “last night”. */
  readonly isDated: boolean
}

type Draft = {
  groups: { by: AccessGroup; top: number | undefined }[]
  statuses: string[]
  method: string | undefined
  top: number | undefined
  measures: AccessReport['measure'][]
  without: string[]
  within: string[]
  isNegated: boolean
  /** “Each” of what was asked before. */
  isEach: boolean
  isWorst: boolean
  isAll: boolean
  isDated: boolean
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const group = (by: AccessGroup) => (draft: Draft) => {
  if (!draft.groups.some((one) => one.by === by)) draft.groups.push({ by, top: draft.top })
  draft.top = undefined
  return true
}
const status = (value: string) => (draft: Draft) => {
  if (!draft.statuses.includes(value)) draft.statuses.push(value)
  return true
}
const set = (change: Partial<Draft>) => (draft: Draft) => {
  Object.assign(draft, change)
  return true
}

const measure = (value: AccessReport['measure']) => (draft: Draft) => {
  if (!draft.measures.includes(value)) draft.measures.push(value)
  return true
}

const per =
  '(?:(?:per|by|each|every|for each|for every|grouped by|broken down by|split by|from each|from every) )?(?:(?:the|single|different|client|remote|unique|distinct) )*'
const errorWord = '(?:errors?|failures?|error codes?|error responses?|responses?|requests?|codes?|statuse?s?|ones|answers?)'

const statusPhrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      `(?:(?:internal )?server(?:[- ]side)? (?:errors?|failures?)(?: codes?| responses?)?|5xx|5\\d\\d['’]?s? range|50x)(?: ${errorWord})?`,
    ),
    status('5xx'),
  ],
  [phraseOf(`(?:client(?:[- ]side)? errors?|4xx)(?: ${errorWord})?`), status('4xx')],
  [phraseOf(`(?:redirect(?:s|ed|ions?)?|3xx)(?: ${errorWord})?`), status('3xx')],
  [phraseOf(`(?:success(?:ful|es)?|2xx|ok)(?: ${errorWord})?`), status('2xx')],
  [phraseOf('(?:not found(?: errors?| pages?)?|missing pages?|dead links?|broken links?)'), status('404')],
  [phraseOf('(?:gateway )?time-?outs?'), status('504')],
  [
    phraseOf(`(?:http )?(?:status |code |status code |error |errors )?([1-5]\\d\\d)(?:['’]?s)?(?: ${errorWord})?(?: not found)?`),
    (draft, [, code = '']) => status(code)(draft),
  ],
  [
    phraseOf('(?:http )?(?:errors?|failures?|failed(?: requests?)?|failing(?: requests?)?|error (?:responses?|requests?|codes?))'),
    (draft) => {
      if (draft.statuses.length === 0) draft.statuses.push('4xx', '5xx')
      return true
    },
  ],
]

const groupPhrases: readonly Phrase<Draft>[] = [
  [phraseOf('who'), group('ip')],
  [phraseOf(`${per}(?:ip(?:[- ]?add?ress(?:es)?|s|['’]s|[- ]?numbers?)?|ip|add?ress(?:es)?|clients?|hosts?)`), group('ip')],
  [
    phraseOf(`${per}(?:(?:request |url )?paths?|ur[li]s?|pages?|endpoints?|routes?|resources?|files? requested|sites? pages?)`),
    group('path'),
  ],
  [phraseOf(`${per}(?:(?:http )?(?:status(?:es)?|(?:status|response|error|http) codes?)|codes?)`), group('status')],
  [phraseOf(`${per}(?:hours?(?: of the day)?)|hourly`), group('hour')],
  [phraseOf('at (?:which|what) (?:time|hour)|what time|when'), group('hour')],
  [phraseOf(`${per}(?:days?|dates?)|daily`), group('day')],
  [phraseOf(`${per}minutes?`), group('minute')],
  [phraseOf(`${per}(?:http )?methods?`), group('method')],
  [phraseOf(`${per}(?:user[- ]?agents?|browsers?)`), group('agent')],
  [phraseOf(`${per}(?:referr?ers?|referring (?:sites?|pages?))`), group('referrer')],
]

const otherPhrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      `(?:the )?(?:top|first|worst|biggest|busiest) (\\d{1,3}|${numbers.join('|')})|(?:the )?(\\d{1,3}|${numbers.slice(1).join('|')}) (?=(?:worst|busiest|most|top|biggest))`,
    ),
    (draft, [phrase, first, second]) => {
      const count = first ?? second ?? ''
      draft.top = numbers.includes(count) ? numbers.indexOf(count) + 1 : Number(count)
      draft.isWorst ||= phrase.includes('worst')
      return draft.top > 0
    },
  ],
  [
    phraseOf(
      '(?:the )?(?:unique|distinct|different) (?:visitors?|users?|people|ips?|ip add?resses)|how many (?:people|visitors|users)|visitors?',
    ),
    measure('visitors'),
  ],
  [phraseOf('traffic|bandwidth|bytes|data(?: volume)?|megabytes|mb|transferred'), measure('bytes')],
  [phraseOf('(?:all |total |number of |in total )*(?:requests?|hits?|calls?|visits?|accesses|queries)'), set({ isAll: true })],
  [
    phraseOf(
      'worst(?: one)?|most broken|(?:most )?affected|problematic|(?:has|have|had|with|got|gets|causes?|caused|made|makes|making|throws?|gave|gives) the most(?: of (?:them|these|those))?',
    ),
    set({ isWorst: true }),
  ],
  [phraseOf('(?:how many )?(?:of )?each(?: of (?:them|those|these))?'), set({ isEach: true })],
  [
    phraseOf(
      'how many(?: (?:of )?(?:them|those|these|times))?(?: (?:were|are) there)?|how often|counts?|number of|total|in total|altogether|overall',
    ),
    () => true,
  ],
  [
    phraseOf(
      '(?:ignor(?:e|ing)|without|except(?: for)?|exclud(?:e|ing)|not counting|leave out|skip(?:ping)?|but not)(?: (?:the|all|any))?',
    ),
    set({ isNegated: true }),
  ],
  [phraseOf('last night|yesterday|today|this morning|tonight|yesterday evening'), set({ isDated: true })],
  [
    phraseOf('(get|post|put|delete|patch|head|options)s?(?: (?:requests?|calls?|hits?))'),
    (draft, [, method = '']) => {
      if (draft.method !== undefined || draft.isNegated) return false
      draft.method = method.toUpperCase()
      return true
    },
  ],
  [
    // A path, whose slash is marked because it is no word, or an address.
    /(?:(?:to|on|for|from|of|in|under|requests?) )?(§[^\s,;?]{0,200}|(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7})(?=$|[\s,;.?!)])/y,
    (draft, [, name = '']) => {
      ;(draft.isNegated ? draft.without : draft.within).push(name.replace('§', '/').replace(/[.?!]$/, ''))
      return true
    },
  ],
]

const fillers: readonly Phrase<Draft>[] = [
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [phraseOf(textPointer), () => true],
  [phraseOf('(?:(?:the|this|my|our|an?|attached|nginx|apache|web|server|access) )+(?:logs?|log ?files?)|nginx|apache'), () => true],
  [
    phraseOf(
      "which|what|what's|whats|all|top|return|returns|failing|show|list|give|tell|find|get|got|gets|getting|see|count|print|me|us|i|we|want|need|would|like|to|know|is|are|was|were|has|have|had|do|does|did|the|a|an|of|for|in|on|at|with|from|by|per|and|or|also|as well|too|both|there|their|them|they|it|that|those|these|most|often|frequent|frequently|commonly|common|popular|busy|busiest|requested|visited|called|seen|hit|received|returned|caused|causes|cause|made|makes|responded|respond|answer|answered|sorted|highest first|by count|descending|breakdown|statistics|stats|overview|summary|please|can|could|you|our|my|shop|site|website|server|then|one|ones|came|come|comes|gave|giving|went|go|goes|where|responsible|so|many|much|how|be|been|up|out|single|different|http|s",
    ),
    () => true,
  ],
]

const phrases = [...otherPhrases.slice(0, 2), ...statusPhrases, ...otherPhrases.slice(2), ...groupPhrases, ...fillers]

const vocabulary = new Set(
  'address addresses requests server errors status endpoint endpoints visitors browsers referrer referrers traffic bandwidth busiest please caused methods minute minutes'.split(
    ' ',
  ),
)

const emptyDraft = (): Draft => ({
  groups: [],
  statuses: [],
  method: undefined,
  top: undefined,
  measures: [],
  without: [],
  within: [],
  isNegated: false,
  isEach: false,
  isWorst: false,
  isAll: false,
  isDated: false,
})

/** A new question inside of a sentence. */
const clauseStart =
  /(?:,|;)? (?:and|plus|also|as well as) (?=(?:also )?(?:(?:(?:in|at|on|during|from|to|for) )?(?:which|what)|whats|when|how many (?!each|of|times|them)|the top|top|the \w+ (?:most|worst|busiest)|who))/

/** Undefined if a word is not read, or nothing is asked. */
export function readAccessLogQuestion(sentences: readonly string[]): AccessQuestion | undefined {
  const reports: AccessReport[] = []
  let [isDated, without]: [boolean, readonly string[]] = [false, []]
  for (const clause of sentences.flatMap((sentence) => sentence.toLowerCase().split(clauseStart))) {
    const draft = emptyDraft()
    const text = correctTypingErrors(clause.replace(/[’‘]/g, "'"), vocabulary).replace(/(?<=^|\s)\//g, '§')
    if (scanPhrases(text, phrases, draft) < text.length) return undefined
    if (draft.isNegated && draft.without.length === 0) return undefined
    isDated ||= draft.isDated
    reports.push(...reportsOf(draft, reports.at(-1)))
    without = [...new Set([...without, ...draft.without])]
  }
  // "Ignore /health" limits all that is asked, wherever it stands.
  return reports.length > 0 && reports.length <= 8 ? { reports: reports.map((one) => ({ ...one, without })), isDated } : undefined
}

function reportsOf(draft: Draft, before: AccessReport | undefined): AccessReport[] {
  const isInherited = draft.statuses.length === 0 && !draft.isAll && draft.measures.length === 0 && before !== undefined
  const errors = draft.isWorst && draft.statuses.length === 0 && !draft.isAll ? ['4xx', '5xx'] : draft.statuses
  const statuses = isInherited ? before.statuses : errors
  const method = draft.method ?? (isInherited ? before.method : undefined)
  const measures = draft.measures.length > 0 ? draft.measures : [isInherited ? before.measure : ('requests' as const)]
  const shared = {
    statuses,
    ...(method !== undefined && { method }),
    without: [],
    within: draft.within,
  }
  return measures.flatMap((measure): AccessReport[] => {
    if (draft.groups.length > 0)
      return draft.groups.map(({ by, top = draft.top }) => ({ by, ...(top !== undefined && { top }), measure, ...shared }))
    // "How many each" adds nothing to what was asked before.
    const isNew = draft.statuses.length > 0 || (draft.isAll && !draft.isEach) || draft.measures.length > 0 || draft.within.length > 0
    return isNew ? [{ measure, ...shared }] : []
  })
}
