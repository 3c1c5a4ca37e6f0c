/** Separates remarks and limits from the questions of a goal: blanks, totals, refunds, spelling, number formats, purposes. */
import { splitSentences } from '../../../numbers/split-sentences.ts'
import type { TableFilter } from '../../computing/table-query.ts'
import type { ReadTableContext } from './question-reading.ts'
import { readExclusion, readOnlyLimit } from './read-exclusion-or-limit.ts'

/** `unclear`: remarks that cannot be followed, each with a sentence that gives the reason. */
export type GoalRemarks = {
  /** The goal without its remarks. */
  readonly question: string
  readonly limits: readonly TableFilter[]
  readonly notes: readonly string[]
  readonly ignoresBlanks: boolean
  readonly unclear: readonly { readonly text: string; readonly reason: string }[]
}

type Remark =
  | { readonly kind: 'blanks' | 'totals' | 'refunds' | 'spelling' | 'format' | 'purpose' }
  | { readonly kind: 'limit'; readonly filters: readonly TableFilter[] }
  | { readonly kind: 'unclear'; readonly reason: string }

type State = { readonly context: ReadTableContext; last: Remark | undefined }

const lead =
  /^(?:(?:oh|ah|and|but|also|so|ps|p\.s\.|note|note that|nb|btw|by the way|careful|please|pls|plz|just|fyi|be aware|watch out|keep in mind|remember|mind|important|beware|attention|of course|obviously|naturally|again|that|thanks|thank you|then|you can|you may|we can|it should|make sure to)\b[,:.!]?\s+)+/i
const bareOf = (text: string): string =>
  text
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[(\s,;–-]+/, '')
    .replace(/(?<![)\s.,;!–-])[)\s.,;!–-]+$/, '')
    .replace(lead, '')
    .replace(/,? (?:please|pls|plz|thanks|thank you|of course|obviously|naturally|completely|altogether|entirely|though|too|as well)$/i, '')

const goalOfCount =
  '(?: (?:in|into|toward|towards|to|for|as part of|from|of|out of) (?:(?:the|my|any|your|these|this) )*(?:averages?|means?|totals?|sums?|charts?|graph|plot|diagram|counts?|calculations?|results?|numbers?|analysis|answer|statistics))?'
const exclusions: readonly RegExp[] = [
  new RegExp(
    `^(?:ignor(?:e|ing)|skip(?:ping)?|exclud(?:e|ing)|leav(?:e|ing) out|disregard(?:ing)?|omit(?:ting)?|drop|remove|don't count|do not count|don't include|do not include|never count|not counting|not including|without counting|without|except(?: for)?|except|forget(?: about)?|take out|filter out) (.+?)${goalOfCount}$`,
    'i',
  ),
  /^(?:leave|take|keep|filter) (.+?) out(?: of (?:it|this|(?:the|my) \w+))?$/i,
  new RegExp(
    `^(.+?) (?:doesn't|does not|don't|do not|should not|shouldn't|must not|mustn't|won't|can't|cannot|should never|never) (?:count|counts|matter|be counted|be included|be part of it|be in(?: there| it| the (?:chart|total|sum|average))?|go|belong)${goalOfCount}$`,
    'i',
  ),
  new RegExp(
    `^(.+?) (?:is|are) (?:not (?:to be )?(?:counted|included)|(?:to be )?(?:excluded|ignored|left out|skipped))${goalOfCount}$`,
    'i',
  ),
]
/** A limit whose object is the remark before. */
const bareExclusion = /^(?:(?:do not|don't|not) (?:count|include)|ignore|skip|exclude|leave out)$/i
const stateAtEnd = /^(?:the |all |any )?(.+?) (?:excluded|left out|not counted|not included|ignored)$/i
const verbAtEnd = new RegExp(
  `^(.+?) (?:ignore|skip|leave out|exclude|do not count|does not count|not count|not counted)${goalOfCount}$`,
  'i',
)
const onlyLimits: readonly RegExp[] = [
  /^(?:only|just) (?:count|include|consider|use|take|look at|want|need) (.+)$/i,
  /^(?:count|include|consider|use|take|look at|i (?:only |just )?(?:want|need|care about)) (?:only|just) (.+)$/i,
  /^i(?:'m| am)? only (?:want|need|care about|interested in) (.+)$/i,
  /^only (.+?)(?: (?:count|counts|matter|matters))?$/i,
]

const blankWords = new Set(
  'blank blanks empty missing absent gap gaps null nulls nothing incomplete unfilled n/a na none unanswered'.split(' '),
)
const blankFillers = new Set(
  "the a an any all some or and ones one rows row cells cell entries entry values value fields field lines line marks mark numbers number people days day months month those these that which where with without are is left there it's data records record them they not filled in have has no who were was answers".split(
    ' ',
  ),
)
const isBlankNoun = (text: string): boolean => {
  const words = text.toLowerCase().match(/[\p{L}/']+/gu) ?? []
  return words.some((word) => blankWords.has(word)) && words.every((word) => blankWords.has(word) || blankFillers.has(word))
}
const totalNoun =
  /^(?:(?:the|that|this|my|a|any|very|final|last|bottom|grand|sum|total|totals|row|line|rows|one|at|end|of|table|file|in|with|which|is|just|only|and|its|summary)(?: |$))+$/i
const isTotalNoun = (text: string): boolean =>
  totalNoun.test(`${text.trim()} `.replace(/ +$/, '')) &&
  /\b(?:totals?|sums?|summary)\b|\b(?:last|bottom|final) (?:row|line|one)\b/i.test(text)
const pronoun =
  /^(?:those|these|them|it|that|this|that one|this one|those ones|these ones|those rows|these rows|such rows|that row|that line)$/i

/** What a limit that leaves out rows means. A pronoun stands for the remark before. */
function readExcluded(words: string, { context, last }: State): Remark {
  if (isBlankNoun(words)) return { kind: 'blanks' }
  if (pronoun.test(words) && last) return last
  const filters = readExclusion(words, context)
  if (filters) return { kind: 'limit', filters }
  if (isTotalNoun(words)) return { kind: 'totals' }
  return {
    kind: 'unclear',
    reason: `I do not see which rows “${words.slice(0, 80)}” are. Name a cell or a condition that those rows have.`,
  }
}

/** Words of requests and of work that no remark contains. */
const asks =
  /\?|\b(?:how (?:many|much|often|long)|which|what|what's|who|when|where|whose|per|each|median|highest|lowest|most|least|best|worst|top|compare|correlation|draw|chart|plot|sort|sorted|rank|list|show|give|tell|find|calculate|compute|convert|replace|fill them|fill it|treat|assume|estimate|interpolate|instead|zero|zeros|zeroes|as 0|with 0|if|unless)\b/i
const blankStatement =
  /\b(?:blanks?|empty|missing|absent|gaps?|incomplete|n\/a|(?:did not|didn't|haven't|have not|hasn't|has not|wasn't|was not|weren't|were not|couldn't|could not|not) (?:all )?(?:fill(?:ed)?|open|answer(?:ed)?|record(?:ed)?|measured?|read|enter(?:ed)?|written|write|taken?|submit(?:ted)?|hand(?:ed)?|show(?:ed|n)? up|reply|replied|complete[d]?|available|everything)|forgot|forgotten|missed|no (?:data|value|entry|reading|number|mark|score|result)s?|skipped)\b/i
const totalStatement =
  /\b(?:last|bottom|final) (?:row|line|one|entry)\b.{0,40}\b(?:totals?|sums?|summary)\b|\b(?:totals?|sums?|summary) (?:row|line)\b/i
const refundStatement =
  /\b(?:refund(?:ed|s)?|reimbursed|returned|gave (?:it|me|us|that) back|got (?:it|that|the money) back|money back|negative (?:amounts?|numbers?|values?|ones)|minus (?:amounts?|numbers?|values?)|credit notes?|paid back)\b/i
const spellingStatement =
  /\b(?:(?:lower|upper|small|capital)[ -]?(?:case|letters?)|capitali[sz]\w+|capitals?|uppercase|lowercase|spaces?|case)\b/i
const formatStatement =
  /\b(?:commas?|decimals?|decimal points?|dots?|thousands?|semicolons?|separators?|(?:german|european|french|spanish|american|english) (?:format|numbers?|style|excel|export|notation))\b/i
const purpose =
  /^(?:(?:(?:i|we) )?(?:(?:will |'ll )?need(?:ed)?|want(?:ed)?|am asking|'m asking|am using|are using) (?:(?:it|this|that|them|these|the (?:numbers?|answers?|results?)) )?(?:just |only |all )?(?:for|by|before|because of) (?:the |a |an |my |our |tomorrow's |today's |next |this )?[\p{L}' -]{2,60}(?: (?:at|on|by|in) [\p{L}\d: .-]{1,20})?|(?:it's|it is|this is|that's) (?:just |only )?for (?:the |a |an |my |our )[\p{L}' -]{2,80}|(?:just )?(?:the )?(?:numbers?|figures?|answers?) (?:is|are) (?:enough|fine)|keep it (?:short|simple|brief)|no rush|take your time|cheers|thanks.{0,40}|thank you.{0,40}|much appreciated|(?:i )?hope (?:that|this|it) (?:helps|makes sense|is ok|works))$/iu

/** A remark that is a statement, without a request. */
function readStatement(text: string, { context: { table } }: State): Remark | undefined {
  if (asks.test(text.replace(/ (?:where|instead of|when) (?:(?:we|i|you) \w+ )?(?:commas?|dots?|points?)/gi, ''))) return undefined
  if (formatStatement.test(text) && /\b(?:is|are|uses?|has|have|with|in|means?|comes?|for)\b/i.test(text))
    return formatRemark(text, table.decimalMark)
  if (totalStatement.test(text)) return { kind: 'totals' }
  if (purpose.test(text)) return { kind: 'purpose' }
  if (/\b(?:totals?|sums?|averages?|mean(?! (?:that|they|it|we|there|the)\b))\b/i.test(text)) return undefined
  if (
    blankStatement.test(text) &&
    /\b(?:is|are|was|were|has|have|had|did|didn't|forgot|missed|'s|not|\w+n't|skipped|no|some)\b/i.test(text) &&
    !/\bcount\b(?! (?:in|to))/i.test(text)
  )
    return { kind: 'blanks' }
  if (refundStatement.test(text)) return { kind: 'refunds' }
  if (spellingStatement.test(text) && !/\b(?:convert|change|make|write|turn)\b/i.test(text)) return { kind: 'spelling' }
  return undefined
}

/** A stated decimal mark must be the one that the file was read with. */
function formatRemark(text: string, mark: '.' | ',' | undefined): Remark {
  const isComma =
    /commas? (?:where we use|instead of|for|as|is|are|=) (?:the )?(?:dots?|points?|decimals?|decimal)|decimal commas?|(?:dots?|points?) (?:for|as) (?:the )?thousands?|\b(?:german|european|french|spanish)\b/i.test(
      text,
    )
  const isPoint =
    !isComma && /decimal points?|(?:dots?|points?) (?:for|as) (?:the )?decimals?|commas? (?:for|as) (?:the )?thousands?/i.test(text)
  if ((isComma && mark === '.') || (isPoint && mark === ','))
    return {
      kind: 'unclear',
      reason: `The numbers of the file look as if “${mark}” were the decimal mark. Say how a number such as 1.234 is meant.`,
    }
  return { kind: 'format' }
}

function readRemark(text: string, state: State): Remark | undefined {
  const bare = bareOf(text)
  if (bare === '' || /\?/.test(text)) return undefined
  if (state.last && bareExclusion.test(bare)) return state.last
  for (const pattern of [...exclusions, stateAtEnd, verbAtEnd]) {
    const excluded = pattern.exec(bare)?.[1]
    if (excluded !== undefined && !asks.test(excluded)) return readExcluded(excluded, state)
  }
  for (const pattern of onlyLimits) {
    const kept = pattern.exec(bare)?.[1]
    const filters = kept === undefined || asks.test(kept) ? undefined : readOnlyLimit(kept, state.context)
    if (filters) return { kind: 'limit', filters }
  }
  return readStatement(bare, state)
}

/** What a remark says must be true of the table. */
function checkRemark(remark: Remark, text: string, { table }: ReadTableContext): Remark {
  if (remark.kind === 'totals' && table.totalsNote === undefined)
    return {
      kind: 'unclear',
      reason: 'I see no row of totals at the end of the table. Say which row is meant, or remove it from the file.',
    }
  const hasNegatives = table.columns.some(({ numbers }) => numbers.some((value) => value !== null && value < 0))
  if (remark.kind === 'refunds' && !hasNegatives)
    return {
      kind: 'unclear',
      reason: `The table has no negative amounts. Say which rows “${bareOf(text).slice(0, 80)}” means, and whether they count.`,
    }
  return remark
}

const clauseEnd =
  /,? but |,? and (?=(?:please |just |also )*(?:ignor|skip|exclud|leav|disregard|omit|don't|do not|only|some|the|it|there|i )\b)|, (?:so )?|; | [–-] |(?= (?:not counting|not including|ignoring|leaving out|disregarding|skipping) )|\. /i
const clausesOf = (sentence: string): string[] => sentence.split(clauseEnd).filter((clause) => clause.trim() !== '')

/** Statements in the middle of a request have a subject of their own. */
const ownSubject = /^(?:some|a few|the|it|it's|there|many|one|few|my|i|we|they|he|she|in \p{Lu}\w+ i)\b/iu

type Reading = { readonly rest: string; readonly remarks: readonly { readonly text: string; readonly remark: Remark }[] }

/** A sentence that is a remark as a whole, or the clauses of it that are remarks. */
function readSentence(sentence: string, state: State): Reading {
  const whole = /[,;]|\band\b|\bso\b/i.test(sentence) ? undefined : readRemark(sentence, state)
  if (whole) {
    state.last = whole
    return { rest: '', remarks: [{ text: sentence, remark: whole }] }
  }
  const clauses = clausesOf(sentence)
  const found = clauses.map((clause) => {
    const remark = readRemark(clause, state)
    if (remark) state.last = remark
    return { text: clause, remark }
  })
  const remarks = found.flatMap(({ text, remark }) => (remark ? [{ text, remark }] : []))
  if (remarks.length === found.length) return { rest: '', remarks }
  const complete = readRemark(sentence, state)
  if (complete && complete.kind !== 'unclear') return { rest: '', remarks: [{ text: sentence, remark: complete }] }
  const isCut = (text: string, remark: Remark): boolean =>
    remark.kind === 'limit' || (isImperative(text) && remark.kind !== 'unclear') || ownSubject.test(bareOf(text))
  const cut = remarks.filter(({ text, remark }) => isCut(text, remark))
  return { rest: cut.reduce((rest, { text }) => withoutClause(rest, text), sentence), remarks: cut }
}

const isImperative = (text: string): boolean => exclusions.some((pattern) => pattern.test(bareOf(text)))

function withoutClause(sentence: string, clause: string): string {
  const at = sentence.indexOf(clause)
  if (at < 0) return sentence
  const before = sentence.slice(0, at).replace(/(?:,|;| [–-]| but|,? and|,? so)?\s*$/i, '')
  return `${before}${sentence.slice(at + clause.length)}`
}

/** Brackets with at least three words. */
const bracket = /\(([^()]{8,300})\)/g

/** Remarks in brackets are cut out; other brackets stay. */
function readBrackets(text: string, state: State, found: Reading['remarks'][number][]): string {
  return text.replace(bracket, (whole, inner: string) => {
    if (inner.trim().split(/\s+/).length < 3) return whole
    const remark = readRemark(inner.replace(/^(?:but )?not (?:counting )?/i, 'not counting '), state)
    if (!remark || (remark.kind === 'unclear' && !formatStatement.test(inner))) return whole
    found.push({ text: inner, remark })
    return ''
  })
}

/** "so that I can plan", "for our newsletter": why the answer is wanted. */
const purposeClause =
  /,? (?:so (?:that )?(?:i|we|they|he|she) (?:can|could|know|may)\b[^.?!,;]{0,80}|because (?:i|we|my|our)\b[^.?!,;]{0,80}|(?:i )?need(?:ed)? (?:it|this|that) (?:for|by)\b[^.?!,;]{0,60}|for (?:my|our|the|a|an|tomorrow's|today's|next week's) (?:\w+ )?(?:meeting|newsletter|boss|manager|teacher|presentation|homework|thesis|lesson|club|blog|talk|review|board|accountant|tax return|taxes|records|landlord|class tomorrow|parents' evening)(?: (?:tomorrow|today|tonight|next week|at \d{1,2}(?::\d\d)?))?)(?=[.?!,;]|$)/gi

/** "this is the export from our till, …": where the table comes from. */
const origin =
  /(^|[.?!\n]\s*)(?:(?:hi|hello|hey|hola|so|ok)\b[,!]? ?)*(?:this is|these are|here(?:'s| is| are)|attached (?:is|are)|the attach\w+ (?:is|are|has|contains))\b([^,.?!;:\n]{2,100}),\s+/gi
const withoutOrigin = (text: string): string =>
  text.replace(origin, (whole, start: string, stated: string) => (asks.test(stated) ? whole : start))

export function readRemarks(goal: string, context: ReadTableContext): GoalRemarks {
  const state: State = { context, last: undefined }
  const remarks: Reading['remarks'][number][] = []
  const plain = withoutOrigin(readBrackets(goal.replace(/[’‘]/g, "'"), state, remarks).replace(purposeClause, ''))
  const kept = splitSentences(plain).flatMap((sentence) => {
    const reading = readSentence(sentence, state)
    remarks.push(...reading.remarks)
    return reading.rest.trim() === '' ? [] : [reading.rest.trim()]
  })
  const checked = remarks.map(({ text, remark }) => ({ text, remark: checkRemark(remark, text, context) }))
  return {
    question: kept.join('\n'),
    limits: checked.flatMap(({ remark }) => (remark.kind === 'limit' ? remark.filters : [])),
    notes: notesOf(
      checked.map(({ remark }) => remark.kind),
      context,
    ),
    ignoresBlanks: checked.some(({ remark }) => remark.kind === 'blanks'),
    unclear: checked.flatMap(({ text, remark }) => (remark.kind === 'unclear' ? [{ text, reason: remark.reason }] : [])),
  }
}

function notesOf(kinds: readonly Remark['kind'][], { table }: ReadTableContext): string[] {
  const negative = table.columns.find(({ numbers }) => numbers.some((value) => value !== null && value < 0))
  const count = negative?.numbers.filter((value) => value !== null && value < 0).length ?? 0
  return kinds.includes('refunds') && negative
    ? [`${count} negative ${count === 1 ? 'amount' : 'amounts'} of “${negative.name}” ${count === 1 ? 'is' : 'are'} included.`]
    : []
}
