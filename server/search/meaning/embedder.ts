/** The port of an embedding: texts as unit vectors, which are the closer the more alike the texts' meanings are. */

/** How often each term occurs in a text; fractions where fields have weights. */
export type TermCounts = ReadonlyMap<string, number>

/** The vectors of one model. Those of different models cannot be compared. */
export type VectorSpace = { readonly model: string; readonly dimensions: number }
/** An embedder that is part of the process. */
export type TermEmbedder = VectorSpace & {
  /** A unit vector, or all zeros if there is nothing to compare. */
  embedTerms(counts: TermCounts): Float32Array
  /** Whether a term is a word of the language, and not a typing error of another one. */
  knows(term: string): boolean
}
/** Any other embedder. It takes time, and may fail. */
export type TextEmbedder = VectorSpace & {
  /**
   * A unit vector for each text.
   * @throws if the embedder cannot be reached, or answers with anything else
   */
  embedTexts(texts: readonly string[]): Promise<Float32Array[]>
}
export type Embedder = TermEmbedder | TextEmbedder

/** Scales a vector to the length 1, in place. A vector of zeros stays. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  if (sum === 0) return vector
  const scale = 1 / Math.sqrt(sum)
  for (let i = 0; i < vector.length; i++) (vector[i] as number) *= scale
  return vector
}
