/** Candidates over a text in the goal or in an attached file: hide, list, count, sort, shorten and compare. */

import { contentWordsOfGoal } from '../content-words-of-goal.ts'
import type { RequestedOperation } from '../find-requested-operations.ts'
import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { findRequestedEntityKinds } from './find-requested-entity-kinds.ts'
import { type SentenceOnText, sentencesInClientLanguage } from './sentences-in-client-language.ts'
import { suggestLineReadings } from './suggest-line-readings.ts'
import { joined, type TextSuggestionContext, textOf, withMaterial } from './text-suggestion-context.ts'

export function suggestTextReadings(goal: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  const { documents, material, tables } = goal
  const compared = compareCandidates(goal, operations)
  const [file] = documents
  const head = file?.head ?? material
  if (head === undefined || head.trim() === '' || documents.length > 1 || tables.length > 0) return compared
  const about: TextSuggestionContext = {
    ...{ goal, operations, head },
    material: file ? undefined : material,
    kinds: findRequestedEntityKinds(`${goal.request} ${goal.english}`),
  }
  return [...compared, ...hideCandidates(about), ...extractCandidates(about), ...suggestLineReadings(about), ...readingCandidates(about)]
}

/** The client wants the things themselves: “just have the addresses out of it, one under the other”. */
const wantsThem =
  /(?:have|get|need|want|pull|fish|copy)\b[^.?!]{0,80}\bout of (?:it|this|that|the|all)|one under the other|one (?:per|on each|to a) line|each on (?:a|its own) line|untereinander|rauskopier|reinkopier|l['’]une? sous l['’]autre|une? par ligne|un[oa] por l[ií]nea|un[oa] debajo|每行一个|一行一个/iu
/** “They must not see any phone number in it”. */
const keepsAway =
  /(?:must ?n[o'’]?t|should ?n[o'’]?t|may not|can ?n[o'’]?t|not allowed to|no ?body|no one|never) (?:\p{L}+ ){0,3}(?:see|read|find|be in)|(?:darf|dürfen|soll(?:en)?)\b[^.?!]{0,40}\b(?:nicht|keine?n?)\b[^.?!]{0,40}\b(?:sehen|lesen|stehen|erkennen)|ne (?:doit|doivent|peut|peuvent) pas (?:voir|lire)|personne ne (?:doit|peut)|no (?:debe|deben|puede|pueden) (?:ver|leer|aparecer)|nadie (?:debe|puede)|不(?:能|要|可以)(?:让[^，。]{0,8})?(?:看到|看见|出现)/iu

const isHiding = ({ goal: { request }, operations }: TextSuggestionContext): boolean =>
  !wantsThem.test(request) && (operations.has('hide') || keepsAway.test(request))

function hideCandidates(about: TextSuggestionContext): ReadingCandidate[] {
  const { kinds, goal } = about
  const hidden = kinds.filter(({ kind }) => kind !== 'date' && kind !== 'amount')
  if (!isHiding(about) || hidden.length === 0) return []
  const english = `Redact all ${joined(hidden.map(({ english }) => english))}`
  const matchedWords = [...textOf(about, 'hide'), ...hidden.flatMap(({ words }) => plainWords(words)), ...leaveWords]
  return [
    {
      texts: withMaterial(about, sentencesInClientLanguage(goal.language, { english, name: 'redact', kinds: hidden })),
      skillId: 'text.redact',
      matchedWords,
    },
  ]
}

const leaveWords = plainWords(
  'leave everything else as it is before pass rest alone keep alle übrigen rest sonst stehen lassen laisse reste tel quel deja demás igual dates times',
)

const leftOutAddress =
  /(?:leave out|leaving out|without|except(?: for)?|not|skip|ignore|ohne|außer|sans|sauf|sin|menos|excepto|不要|除了)\s+(?:the |any |die |den |das |le |la |el |l['’])?([\w.+-]+@[\w.-]*|@[\w.-]+)/giu

function extractCandidates(about: TextSuggestionContext): ReadingCandidate[] {
  const { kinds, goal, operations } = about
  const isAsked = operations.has('extract') || operations.has('list') || wantsThem.test(goal.request)
  // The opposite of the requested operation would be harmful.
  if (kinds.length === 0 || !isAsked || isHiding(about)) return []
  const isUnique =
    operations.has('duplicates') ||
    /(?:no ?body|none|nothing|not?) (?:\p{L}+ )?twice|niemand(?:en)? doppelt|personne deux fois|nadie dos veces/iu.test(goal.request)
  const isSorted = operations.has('alphabet') || operations.has('order')
  const except = [...goal.request.matchAll(leftOutAddress)].map(([, address = '']) => address.replace(/\.$/, ''))
  const without = except.length > 0 ? `, without ${except.join(' and ')}` : ''
  const end = `${isUnique ? ', each once' : ''}${isSorted ? ', sorted alphabetically' : ''}${without}`
  const english = `List all ${joined(kinds.map(({ english }) => english))} in the text${end}`
  const matchedWords = [
    ...textOf(about, 'extract', 'list', 'duplicates', 'alphabet', 'order'),
    ...kinds.flatMap(({ words }) => plainWords(words)),
    ...plainWords(except.join(' ')),
    ...(except.length > 0 ? ['leave', 'without', 'ohne', 'sans', 'sin'] : []),
  ]
  const texts = end === '' ? sentencesInClientLanguage(goal.language, { english, name: 'extract', kinds }) : [english]
  return [{ texts: withMaterial(about, texts), skillId: 'text.extract', matchedWords }]
}

const sentenceCount: { readonly [word: string]: number } = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, ein: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6 },
  ...{ une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, dos: 2, tres: 3, cuatro: 4, cinco: 5, 一: 1, 两: 2, 三: 3, 四: 4, 五: 5 },
}

const sentencePattern = new RegExp(
  `(\\d{1,2}|${Object.keys(sentenceCount).join('|')})\\s*(?:\\p{L}+\\s)?(?:sentences?|lines?|sätzen?|satz|phrases?|frases?|oraciones|句)`,
  'iu',
)

function readingCandidates(about: TextSuggestionContext): ReadingCandidate[] {
  const { goal, operations, head } = about
  const isLong = head.length >= 200
  const sentences = sentencePattern.exec(goal.request)
  const countWord = sentences?.[1]?.toLowerCase() ?? ''
  const count = sentenceCount[countWord] ?? (/^\d+$/.test(countWord) ? Number(countWord) : undefined)
  const found: ReadingCandidate[] = []
  const add = (operation: RequestedOperation, skillId: string, sentence: SentenceOnText, more: readonly string[] = []): void => {
    const matchedWords = [...textOf(about, operation), ...more, ...textWords]
    found.push({ texts: withMaterial(about, sentencesInClientLanguage(goal.language, sentence)), skillId, matchedWords })
  }
  const summary = count === undefined ? 'Summarise the text' : `Summarise the text in ${count} sentences`
  if (operations.has('summary') && isLong)
    add('summary', 'text.summary', { english: summary, name: 'summary', count }, plainWords(sentences?.[0] ?? ''))
  if (operations.has('keywords') && isLong) add('keywords', 'text.keywords', { english: 'List the keywords of the text', name: 'keywords' })
  if (operations.has('readability'))
    add('readability', 'text.statistics', { english: 'How easy to read is the text?', name: 'readability' })
  if (operations.has('language')) add('language', 'text.language', { english: 'Which language is the text in?', name: 'language' })
  if (operations.has('words') && operations.has('count'))
    add('words', 'text.statistics', { english: 'How many words are in the text?', name: 'words' }, textOf(about, 'count'))
  return [...found, ...occurrenceCandidates(about)]
}

const textWords = plainWords(
  'text essay letter article note notes report story minutes brief text artikel protokoll bericht texte lettre compte rendu article texto carta artículo informe 文章 文字',
)

/** “How many times do I say …”: a word that stands in the text. */
function occurrenceCandidates(about: TextSuggestionContext): ReadingCandidate[] {
  const { goal, head } = about
  const asked = /(?:how (?:many times|often)|wie oft|combien de fois|cuántas veces)(.{3,80})/iu.exec(goal.request)?.[1] ?? ''
  const quoted = /["“'‘]([^"“”'‘’]{2,40})["”'’]/.exec(goal.request)?.[1]
  const words = [...(quoted === undefined ? [] : [quoted]), ...contentWordsOfGoal(asked)]
  const word = words.find((one) => one.length > 2 && !isVerb.test(one) && foldCaseAndAccents(head).includes(foldCaseAndAccents(one)))
  if (!about.operations.has('count') || asked === '' || word === undefined) return []
  return [
    {
      texts: withMaterial(about, [`How often does “${word}” occur in the text`]),
      ...{ skillId: 'text.transform', matchedWords: [...textOf(about, 'count'), ...plainWords(word), 'say', 'says', 'used', 'mention'] },
    },
  ]
}

const isVerb =
  /^(?:say|says|said|use|used|write|mention|repeat|contain|appear|occur|word|steht|kommt|sage|dit|dis|mot|digo|dice|palabra)s?$/i

function compareCandidates(
  { documents, files, language }: GoalParts,
  operations: ReadonlyMap<RequestedOperation, string>,
): ReadingCandidate[] {
  const [before, after] = documents
  if (!before || !after || documents.length !== 2 || files.length !== 2 || !operations.has('compare')) return []
  const isOldSecond = /old|alt|ancien|antigu|viej|v1|旧/iu.test(after.name) && !/old|alt|ancien|antigu|viej|v1|旧/iu.test(before.name)
  const [first, second] = isOldSecond ? [after, before] : [before, after]
  const names = `${first.name} → ${second.name}`
  const matchedWords = [...plainWords(operations.get('compare') ?? ''), ...plainWords(names)]
  const english = `Compare ${first.name} with ${second.name}`
  return [
    {
      texts: language === 'de' ? [`Vergleiche ${first.name} mit ${second.name}`, english] : [english],
      skillId: 'text.compare',
      matchedWords,
    },
  ]
}
