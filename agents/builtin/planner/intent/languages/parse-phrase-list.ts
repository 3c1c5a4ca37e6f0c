/** Parses a list of phrases of a language with their English translations. */

export type LanguagePhrases = {
  readonly phrases: ReadonlyMap<string, string>
  /** Letters of the longest phrase. */
  readonly longest: number
  /** Where the words stand in another order than in English, after the phrases are translated. */
  readonly orders: readonly (readonly [pattern: RegExp, order: string])[]
  /** False for a script without spaces between words. */
  readonly isSpaced: boolean
  /** A whole request in other words, if it is of a known form. */
  readonly rewrite: (request: string) => string | undefined
  readonly splitToken: (token: string) => string[]
}

/** Lower case without accents, as people type on foreign keyboards. `ß` is `ss`, and `ä` is also read as `ae`. */
export const plainForm = (text: string): string =>
  text.toLowerCase().replaceAll('ß', 'ss').replaceAll('’', "'").normalize('NFD').replace(/\p{M}/gu, '')

type Options = {
  readonly orders?: LanguagePhrases['orders']
  readonly isSpaced?: boolean
  readonly rewrite?: LanguagePhrases['rewrite']
  /** Further spellings of a phrase. */
  readonly spellings?: (phrase: string) => readonly string[]
}

/**
 * Reads a list of lines `phrase | other form = English`. An empty right side drops the phrase.
 * Later lines replace earlier ones.
 */
export function parsePhraseList(
  lines: string,
  { orders = [], isSpaced = true, rewrite = () => undefined, spellings = () => [] }: Options = {},
): LanguagePhrases {
  const phrases = new Map<string, string>()
  for (const line of lines.split('\n')) {
    const [left = '', english] = line.split('=')
    if (english === undefined) continue
    for (const form of left.split('|').map((one) => one.trim()))
      for (const spelling of [form, ...spellings(form)]) phrases.set(plainForm(spelling), english.trim())
  }
  const longest = Math.max(...[...phrases.keys()].map((phrase) => phrase.length))
  return { phrases, longest, orders, isSpaced, rewrite, splitToken: (token) => (/^\p{Script=Han}/u.test(token) ? [...token] : [token]) }
}
