import { eld } from 'eld/small'

/** Words that other languages of Latin script do not use. A text with one of them is English with a foreign name in it. */
const english =
  /\b(?:the|of|and|what|which|how|please|from|with|make|give|show|tell|find|write|create|convert|translate|summari[sz]e|compare|should|would|between|draw)\b/i
/** Letters of scripts in which English is not written. */
const foreignLetters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Thai}\p{Script=Devanagari}]/gu
/** How much better than English another language must score. Names and numbers score alike in all of them. */
const minLead = 0.12
/** Fewer letters of Latin script are no evidence. */
const minLetters = 8
const maxLength = 2_000

/**
 * The language of a request as an ISO 639-1 code, without its quotations. `en` if the text is too short or too mixed.
 */
export function detectLanguage(words: string): string {
  const text = words.slice(0, maxLength)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const foreign = text.match(foreignLetters)?.length ?? 0
  if (foreign * 3 > letters) return eld.detect(text).language || 'und'
  if (letters < minLetters || english.test(text)) return 'en'
  const scores = eld.detect(text).getScores()
  const [first = ['en', 0]] = Object.entries(scores).sort(([, a], [, b]) => b - a)
  const [code, score] = first
  return code !== 'en' && score - (scores.en ?? 0) >= minLead ? code : 'en'
}

/** The English name of a language code: `German`. */
export const languageName = (code: string): string =>
  code === 'und' ? 'another language' : (new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code)

/** True if a word of the text is used in English only. */
export const hasEnglishWords = (text: string): boolean => english.test(text)
