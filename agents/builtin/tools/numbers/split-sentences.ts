/** Reads the sentences of a goal: their language, polite phrases, and whether they ask for work of another kind. */

/** Function words of other languages that are no English words. */
const foreignWords = new Set(
  (
    'der das und ist sind wie viele viel wieviel wann welche welcher welches zwischen nicht eine einen einer von für mit zum zur bis ab auf ' +
    'wochentag tage tagen wochen ich wir bitte rechne berechne wandle lautet ergibt durch mal heute ' +
    'le la les des est une combien quel quelle quels entre et dans jours pour avec sont calculer jour semaine aux ' +
    'el los las cuál cuánto cuántos cuántas cuanto cuantos qué es una por para convertir días semanas entre desde hasta ' +
    'il gli di quanto quanti quante quale è una per giorni tra che ' +
    'het een hoeveel wat zijn tussen dagen welke voor naar en van ' +
    'quantos quantas qual são entre dias não uma ' +
    'hur många mellan och är vilken hvor mange mellem og'
  ).split(' '),
)
const englishWords = new Set(
  (
    'the a an of is are was were be what which who when how many much in on at to from for with and or by as it this that there do does did ' +
    'please can could would me my i we our you your between until since each every per not no than have has had will'
  ).split(' '),
)

/** True unless the words are mostly of another language. Sums and formulas without words count as English. */
export function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}’']+/gu) ?? []
  const letters = words.join('')
  const latin = letters.match(/[a-z]/g)?.length ?? 0
  if (letters.length > 3 && latin < letters.length * 0.8) return false
  const foreign = words.filter((word) => foreignWords.has(word) && !englishWords.has(word)).length
  const english = words.filter((word) => englishWords.has(word)).length
  return foreign === 0 || english > foreign
}

const abbreviation =
  /(?:\b(?:approx|incl|excl|e\.g|i\.e|etc|vs|no|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mr|ms|mrs|dr|st|p\.m|a\.m)|\b\d{1,2}\.\d{1,2}|^\d{1,2})$/i

/** The sentences of a text. A point ends one if a space and no small letter follow, but not after an abbreviation. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? ''
    if (!'.?!\n;'.includes(mark)) continue
    const next = text[at + 1] ?? ' '
    const isEnd =
      mark === '\n' ||
      mark === ';' ||
      (mark !== '.' ? /[\s"”')]/.test(next) : /\s/.test(next) && !abbreviation.test(text.slice(Math.max(start, at - 12), at)))
    if (!isEnd) continue
    sentences.push(text.slice(start, at + 1))
    start = at + 1
  }
  sentences.push(text.slice(start))
  return sentences.map((sentence) => withoutEnd(sentence).trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Without spaces and points at the end. A pattern would try again at each of many spaces inside. */
function withoutEnd(sentence: string): string {
  let end = sentence.length
  while (end > 0 && /[\s.;]/.test(sentence[end - 1] ?? '')) end--
  return sentence.slice(0, end)
}

const leads = [
  'hi',
  'hello',
  'hey',
  'hi there',
  'hello there',
  'dear agent',
  'dear team',
  'good morning',
  'please',
  'kindly',
  'quick question',
  'question',
  'can you',
  'could you',
  'would you',
  'will you',
  'can anyone',
  'can someone',
  'could someone',
  'i need you to',
  'i need to know',
  'i need to find out',
  'i have to know',
  'i want to know',
  'i want you to',
  'i would like to know',
  'i would like you to',
  "i'd like to know",
  "i'd like you to",
  'i wonder',
  'i am wondering',
  "i'm wondering",
  'just',
  'tell me',
  'let me know',
  'help me',
  'help me to',
  'for me',
  'quickly',
  'and',
  'also',
  'then',
  'so',
  'ok',
  'okay',
  'do you know',
  'any idea',
]
const tails = [
  'please',
  'thanks',
  'thank you',
  'thx',
  'for me',
  'many thanks',
  'thank you very much',
  'cheers',
  'now',
  'exactly',
  'thanks in advance',
]

/** The sentence with single spaces, without greetings, polite phrases and its last mark. */
export function trimPoliteness(sentence: string): string {
  let text = sentence
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s?.:])[\s?.:]+$/, '')
    // `100!` is a factorial.
    .replace(/(?<![\s?.!:])[\s?.!:]+$/, (marks, at, all) => (/[\d)]/.test(all[at - 1] ?? '') ? marks.slice(0, 1) : ''))
    .trim()
  for (let round = 0; round < 8; round++) {
    const before = text
    for (const lead of leads)
      if (text.slice(0, lead.length).toLowerCase() === lead && /^[ ,:!-]/.test(text.slice(lead.length)))
        text = text.slice(lead.length).replace(/^[ ,:!-]+/, '')
    for (const tail of tails) {
      const end = text.slice(-tail.length - 1).toLowerCase()
      if (end === ` ${tail}` || end === `,${tail}`) text = text.slice(0, -tail.length).replace(/(?<![ ,?.!])[ ,?.!]+$/, '')
    }
    if (text === before) break
  }
  return text
}

/** The start of the text in one line and without its last mark, as the end of a sentence about it. */
export const quoteInline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .replace(/(?<![\s.?!])[\s.?!]+$/, '')

/** As `trimPoliteness`, in lower case. */
export const stripPoliteness = (sentence: string): string => trimPoliteness(sentence).toLowerCase()

const otherWork =
  /^(?:write|draft|compose|translate|summari[sz]e|plan|book|buy|order|draw|plot|chart|design|build|paint|research|compare|explain|describe|send|email|post|publish|prepare|rewrite|proofread|correct|edit|search|look up|find (?:me )?(?:a|an|the|some)|make (?:me )?(?:a|an)|create|generate|schedule|remind|recommend|suggest|invent|code|implement|sing|record|monitor|analy[sz]e|visuali[sz]e|extract|classify|review|check|list|open|visit|click|fill|sign|register|download|scrape|report)\b/

/** True if the sentence asks for work of another kind, such as a text or a picture, as its verb shows. */
export const asksForOtherWork = (sentence: string): boolean =>
  splitClauses(stripPoliteness(sentence)).some((clause) => otherWork.test(stripPoliteness(clause)))

const splitClauses = (sentence: string): string[] => sentence.split(/,? (?:and then|and|then) |[,:] /)

/** True if the sentence is neither a question nor a request, so that it only gives a reason or thanks. */
export const isRemark = (sentence: string): boolean => !/\?\s*$/.test(sentence) && !asksForOtherWork(sentence)
