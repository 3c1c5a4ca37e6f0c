/**
 * Why a displayed name is refused: its characters, and words that it resembles. Pure. Confusable letters follow Unicode's security
 * table (UTS #39).
 */
import unhomoglyph from 'unhomoglyph'
import { replaceConfusableLetters, replaceDigitsAndSigns } from './replace-confusable-letters.ts'

/** The market's own words, forbidden anywhere in a name. */
const ownWords = ['parley']
/** Roles of the market, forbidden as a word in an agent's name. */
const roleWords = [
  'admin',
  'administrator',
  'administration',
  'official',
  'officially',
  'operator',
  'moderator',
  'escrow',
  'evaluator',
  'arbitrator',
  'treasury',
]
/** Allowed beside other words. A name of only these would speak for the market. */
const vagueWords = [
  'support',
  'system',
  'help',
  'helpdesk',
  'staff',
  'team',
  'service',
  'security',
  'safety',
  'trust',
  'alert',
  'notification',
  'customer',
  'care',
  'refund',
  'server',
  'market',
  'root',
  'billing',
  'the',
  'desk',
  'bot',
  'agent',
]

/** Scripts that may appear in a name, and per word only within one group. Others are unusual (UAX #31, table 5). */
const scripts =
  'Latin Cyrillic Greek Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Khmer Hiragana Katakana Bopomofo Han'.split(
    ' ',
  )
const scriptTests = scripts.map((script) => ({ script, test: new RegExp(`\\p{Script_Extensions=${script}}`, 'u') }))
/** Scripts that are used together: Japanese, Chinese and Korean, each also with Latin (UTS #39, "highly restrictive"). */
const writtenTogether = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
]

/** Characters that are ignored, formatting, directional, unassigned or private, and unusual spaces. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u
const stacked = /\p{M}{5,}/u
/** A mark that a reader takes for a verification by the market. */
const checkMark = /[\u237B\u2611\u2705\u2713\u2714\u{10102}\u{1F5F8}\u{1F5F9}\u{1FBB1}]/u
/** Letters in a circle or a square: symbols that are read as letters. */
const enclosedLetter = /[\u24B6-\u24E9\u{1F110}-\u{1F12B}\u{1F130}-\u{1F149}\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/u

/** Why the letters of a name are invalid, in sentences. `what`: the subject of the sentences. */
export function letterFaults(what: string, name: string): string[] {
  const hidden = unseen.exec(name)?.[0]
  if (hidden !== undefined) return [`${what} has the invisible character U+${codeOf(hidden)}. Remove it.`]
  if (!/[\p{L}\p{N}]/u.test(name)) return [`${what} has no letter and no digit.`]
  if (hasStackedMarks(name)) return [`${what} has too many marks on one letter.`]
  const sign = checkMark.exec(name)?.[0] ?? enclosedLetter.exec(name)?.[0]
  if (sign !== undefined) return [`${what} has the sign ${sign} (U+${codeOf(sign)}), which is not allowed in names. Remove it.`]
  const faults: string[] = []
  for (const letter of name.match(/[\p{L}\p{N}]/gu) ?? []) {
    if (letter.normalize('NFKC') !== letter.normalize('NFC'))
      return [`${what} has ${letter} (U+${codeOf(letter)}), a form of ${letter.normalize('NFKC')}. Write the plain letter.`]
    if (/\p{L}/u.test(letter) && scriptsOf(letter).length === 0)
      return [`${what} has ${letter} (U+${codeOf(letter)}), which belongs to no supported alphabet.`]
  }
  for (const word of name.split(/\s+/)) if (mixesScripts(word)) faults.push(`${what} mixes alphabets within one word: ${word}.`)
  return faults
}

/** Why the letters of a text of one line are invalid, in sentences: it must be visible, and without high stacks of marks. */
export function textFaults(what: string, text: string): string[] {
  if (text.replace(/[\p{Cf}\p{Cn}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\s\u2800]/gu, '') === '') return [`${what} has no visible text.`]
  return hasStackedMarks(text) ? [`${what} has too many marks on one letter.`] : []
}

function hasStackedMarks(text: string): boolean {
  return stacked.test(text.normalize('NFD').replace(/(?!\p{M})\p{Default_Ignorable_Code_Point}/gu, ''))
}

/** Why an agent's name is invalid, in sentences; empty if valid. */
export function nameFaults(what: string, name: string): string[] {
  const faults = letterFaults(what, name)
  if (faults.length > 0) return faults
  const reserved = findReservedWord(name)
  return reserved === null ? [] : [`${what} contains or resembles ${reserved}, which is reserved for the market.`]
}

/** A reserved word that the name contains or resembles; null if none. */
export function findReservedWord(name: string): string | null {
  // Checks the name as written, and with digits and signs read as letters.
  const readings = [name, replaceDigitsAndSigns(name)].map(skeletonWords)
  for (const words of readings) {
    const whole = words.join('')
    for (const own of ownWords) if (whole.includes(skeletonOf(own))) return own
    for (const role of roleWords) if ([...words, whole].some((word) => isWord(word, role))) return role
    const isVague = (word: string) => vagueWords.some((vague) => isWord(word, vague))
    if (words.every(isVague) || isVague(whole)) return name.trim()
  }
  return null
}

/** The same word, or its plural. */
function isWord(looks: string, word: string): boolean {
  const own = skeletonOf(word)
  return looks === own || looks === `${own}s` || looks === `${own}es`
}

/** Two names with the same skeleton can be confused: by case, marks, spaces or similar letters. */
export function skeletonOf(name: string): string {
  return skeletonWords(name).join('')
}

function skeletonWords(name: string): string[] {
  // Applied twice: a capital and its small letter may resemble different letters.
  const once = plain(unhomoglyph(plain(withoutSymbols(name))))
  const looks = replaceConfusableLetters(plain(unhomoglyph(replaceConfusableLetters(once))))
  // Treat `i` as `l`, because only the dot distinguishes them.
  const alike = looks.replaceAll('i', 'l').replaceAll('0', 'o')
  return alike.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Symbols and modifiers, which do not make another name: ™, ®, emoji, primes. Those that stand for one letter are read as the letter. */
const symbol = /[\p{So}\p{Sk}\p{Sm}\u02B0-\u02FF\uA700-\uA721\uA788-\uA78A]/gu

function withoutSymbols(text: string): string {
  return text.replace(symbol, (one) => (/^[\p{L}\p{N}]$/u.test(one.normalize('NFKC')) && /\p{S}/u.test(one) ? one : ''))
}

const plain = (text: string): string => text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')

const codeOf = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

const scriptsOf = (letter: string): string[] => scriptTests.filter(({ test }) => test.test(letter)).map(({ script }) => script)

/** Mixed scripts in one word: the usual way to imitate a name. */
function mixesScripts(word: string): boolean {
  const used = (word.match(/\p{L}/gu) ?? []).map(scriptsOf).filter((found) => found.length > 0)
  if (used.length === 0) return false
  const isShared = (allowed: (script: string) => boolean) => used.every((found) => found.some(allowed))
  return !scripts.some((script) => isShared((one) => one === script)) && !writtenTogether.some((group) => isShared((one) => group.has(one)))
}
