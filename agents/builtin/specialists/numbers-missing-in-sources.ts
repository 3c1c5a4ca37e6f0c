/** Finds numbers of a model's text that its sources do not contain. */

const words: { readonly [word: string]: number } = Object.fromEntries(
  [
    'zero one two three four five six seven eight nine ten eleven twelve',
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze',
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
    '零 一 二 三 四 五 六 七 八 九 十 十一 十二',
  ].flatMap((list) => list.split(' ').map((word, value) => [word, value])),
)
const articles: { readonly [word: string]: number } = { ein: 1, eine: 1, einen: 1, une: 1, una: 1, a: 1, an: 1 }

/** The runs of digits of a text, without leading zeros. The numbers of a numbered list do not count. */
export function digitRunsIn(text: string): Set<string> {
  const body = text.replace(/^\s*\d{1,3}[.)]\s/gm, '')
  return new Set((body.normalize('NFKC').match(/\d+/g) ?? []).map((run) => run.replace(/^0+(?=\d)/, '')))
}

/** Numbers of the text that no source has, in digits or as a word. */
export function numbersMissingInSources(text: string, sources: readonly string[]): string[] {
  const all = sources.join('\n')
  const proven = digitRunsIn(all)
  for (const word of all.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const value = Object.hasOwn(words, word) ? words[word] : Object.hasOwn(articles, word) ? articles[word] : undefined
    if (value !== undefined) proven.add(String(value))
  }
  for (const [word, value] of Object.entries(words)) if (/\p{Script=Han}/u.test(word) && all.includes(word)) proven.add(String(value))
  // The numbers of a source in a list count as well.
  for (const run of all.match(/\d+/g) ?? []) proven.add(run.replace(/^0+(?=\d)/, ''))
  return [...digitRunsIn(text)].filter((run) => !proven.has(run))
}
