const suffixes = /(?:ations?|ization|ising|izing|ised|ized|ises|izes|ise|ize|ings?|ees?|ers?|ed|es|s|e)$/

/** A light English stemmer for comparing names: "shouting" and "shouts" give the same stem, and so do "replies" and "reply". */
export function stemWord(word: string): string {
  const base = word.toLowerCase().replace(/ies$/, 'y')
  const cut = base.replace(suffixes, '')
  const root = cut.length >= 3 ? cut : base
  // "plotted" and "plot": a doubled last consonant counts once.
  return root.replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/y$/, 'i')
}
