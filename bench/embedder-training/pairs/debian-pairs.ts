/** Pairs of Debian's package descriptions, of the part for training only. */
import type { DebianPackage } from '../../market-search/corpora/debian.ts'
import { createUniform, type Pair } from '../train-encoder.ts'

/** The synopsis of each package with its description. */
export function synopsisPairs(packages: readonly DebianPackage[]): Pair[] {
  return packages.flatMap(({ synopsis, description, part }) => (part === 'train' ? [{ left: synopsis, right: description }] : []))
}

/** One sentence of each description with the rest of it (inverse cloze), another one in each epoch. */
export function sentencePairs(packages: readonly DebianPackage[], epoch: number): Pair[] {
  const random = createUniform(1_000 + epoch)
  return packages.flatMap(({ description, part }) => {
    const sentences = description.split(/(?<=[.:!?])\s+/).filter((one) => one.length > 20)
    if (part !== 'train' || sentences.length < 2) return []
    const chosen = Math.floor(random() * sentences.length)
    return [{ left: sentences[chosen] as string, right: sentences.filter((_, at) => at !== chosen).join(' ') }]
  })
}
