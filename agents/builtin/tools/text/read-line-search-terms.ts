/** Reads the words that lines are to contain, after “containing” or “with”. */
import { kindsIn } from './find-entities.ts'
import type { LineGoalReader } from './line-goal-reader.ts'
import { levelNamed } from './log-level-and-log-time.ts'

type Term = { readonly text: string; readonly isQuoted: boolean }
type Terms = { readonly terms: readonly Term[]; readonly joint: 'and' | 'or' | 'both'; readonly end: number }

const lead =
  /(?:(?:the|an?|any|either|both|one of|all of|all|at least one of|following) )*(?:(?:words?|texts?|strings?|phrases?|terms?|keywords?|letters?) )?/y
const joint = /\s*(?:,\s*(?:and|or)\s+|,\s*|\s(?:and|or)\s+|\s?[&/|]\s?)/y
/** What cannot be part of a word to look for without quotation marks. */
const stop =
  /^(?:and|or|but|in|from|of|then|sorted|sort|without|per|by|please|pls|thanks|thx|as|on|at|into|to|is|are|were|was|with|that|which|anywhere|somewhere|there|only|also|for|the|from|and|,)$/
/** A new clause after “and”. */
const clause =
  /(?:then |also |please |finally )*(?:show|list|print|give|get|find|keep|filter|count|how|in which|at which|on which|which|what|sort|order|remove|delete|drop|number|tell|reverse|group|join|dedupe|make|put|no duplicates|the number|the first|the last|which|whats|i|all|any|every|those|these)\b/y
/** Words for a property of the line rather than for a part of its text. */
const property =
  /^(?:more|less|fewer|at|only|no|than|exactly|upper ?case|lower ?case|capitals?|special|typos?|mistakes?|something|nothing|anything|it|them|this|that|these|those|characters?|letters?|digits?|words?|spaces?|duplicates?|each|every|all|me|us|\d+|whole|same|other)\b/

/** Reads on after the verb. False if it is not clear what the lines are to contain. */
export function readLineSearchTerms(reader: LineGoalReader, match: RegExpExecArray): number | false {
  const [whole, no, not, verb = ''] = match
  const sentence = match.input
  const isStrong = /^(?:contain|includ|mention|match|start|begin|end)/.test(verb)
  const found = termsAt(reader, sentence, match.index + whole.length)
  if (!found || found.terms.length === 0) return false
  const texts = found.terms.map(({ text }) => text)
  const isNegative = no !== undefined || not !== undefined || verb === 'without'
  const wasNegated = reader.isNegated
  reader.isNegated = wasNegated !== isNegative
  const isRead = readTest(reader, verb, found, isStrong)
  reader.isNegated = wasNegated
  if (!isRead) return false
  if (found.joint === 'and' && texts.length > 1 && isRead === 'contains')
    reader.question = `Must a line contain both “${texts[0]}” and “${texts[1]}”, or is one of them enough? Write the goal again with “both” or with “or”.`
  return found.end
}

function readTest(reader: LineGoalReader, verb: string, { terms, joint: kind }: Terms, isStrong: boolean): string | false {
  const texts = terms.map(({ text }) => text)
  if (/^(?:start|begin|end)/.test(verb) && !terms.every((term) => isTerm(reader, term, true))) return false
  if (/^(?:start|begin)/.test(verb)) return reader.test('starts', texts) && 'starts'
  if (verb.startsWith('end')) return reader.test('ends', texts) && 'ends'
  const levels = texts.map(levelNamed)
  if (!isStrong && terms.every(({ isQuoted }) => !isQuoted) && levels.every((one) => one !== undefined))
    return reader.test('level', levels) && 'level'
  const kinds = texts.flatMap((text) => kindsIn(text.toLowerCase()))
  if (terms.every(({ isQuoted }) => !isQuoted) && kinds.length > 0)
    return terms.length === 1 && kinds.length === 1 && reader.test('kind', kinds) && 'kind'
  if (!terms.every((term) => isTerm(reader, term, isStrong))) return false
  return reader.test(kind === 'both' ? 'contains_all' : 'contains', texts) && 'contains'
}

/** A word without quotation marks has to stand in the text, or to follow “containing”. */
function isTerm(reader: LineGoalReader, { text, isQuoted }: Term, isStrong: boolean): boolean {
  if (isQuoted) return true
  if (property.test(text.toLowerCase())) return false
  if (reader.material?.toLowerCase().includes(text.toLowerCase())) return true
  return isStrong && !/\s/.test(text)
}

function termsAt(reader: LineGoalReader, sentence: string, start: number): Terms | undefined {
  let at = start + (/^\s*/.exec(sentence.slice(start))?.[0].length ?? 0)
  lead.lastIndex = at
  const phrase = lead.exec(sentence)?.[0] ?? ''
  at += phrase.length
  const terms: Term[] = []
  let kind: Terms['joint'] = /\b(?:both|all)\b/.test(phrase) ? 'both' : 'or'
  for (;;) {
    const end = termEnd(sentence, at)
    if (end === at) return undefined
    terms.push(termOf(reader, at, end))
    joint.lastIndex = end
    const between = joint.exec(sentence)?.[0]
    if (between === undefined) return { terms, joint: kind, end }
    const next = end + between.length
    clause.lastIndex = next
    if (clause.test(sentence) || next >= sentence.length) return { terms, joint: kind, end }
    if (/and|&/.test(between) && kind !== 'both') kind = 'and'
    at = next
  }
}

/** The end of a quotation, or of the words up to one that cannot belong to it. */
function termEnd(sentence: string, start: number): number {
  const quoted = /^⟦\d+⟧/.exec(sentence.slice(start))
  if (quoted) return start + quoted[0].length
  let end = start
  for (const { 0: word, index } of sentence.slice(start).matchAll(/[^\s,;()&⟦⟧|]+/g)) {
    const between = sentence.slice(end, start + index)
    if (stop.test(word) || (end > start && !/^\s+$/.test(between)) || (end === start && index > 0)) break
    end = start + index + word.replace(/(?<![.:!?])[.:!?]+$/, '').length
    if (end < start + index + word.length) break
  }
  return end
}

function termOf(reader: LineGoalReader, start: number, end: number): Term {
  const raw = reader.raw.slice(start, end)
  const index = /^⟦(\d+)⟧$/.exec(raw)?.[1]
  return index === undefined ? { text: raw, isQuoted: false } : { text: reader.quotations[Number(index)] ?? raw, isQuoted: true }
}
