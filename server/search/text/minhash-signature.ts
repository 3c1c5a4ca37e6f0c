/** MinHash signatures: the share of equal bytes estimates the Jaccard similarity of two sets of terms. */

export const signatureBytes = 64
/** Shorter texts resemble each other at random, so they have no signature. */
const minTerms = 6
const multipliers = Uint32Array.from({ length: signatureBytes }, (_, index) => (mix(index + 1) | 1) >>> 0)
const offsets = Uint32Array.from({ length: signatureBytes }, (_, index) => mix(index + 1_000))

function mix(value: number): number {
  let bits = Math.imul(value, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** FNV-1a over UTF-16 units. The same on every machine. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** The signature of a set of terms; all zeros if there are too few. */
export function minHashSignatureOf(terms: Iterable<string>): Uint8Array {
  const minima = new Uint32Array(signatureBytes).fill(0xffffffff)
  let count = 0
  for (const term of terms) {
    const hash = mix(hashText(term))
    count++
    for (let i = 0; i < signatureBytes; i++) {
      const value = (Math.imul(hash, multipliers[i] as number) + (offsets[i] as number)) >>> 0
      if (value < (minima[i] as number)) minima[i] = value
    }
  }
  const signature = new Uint8Array(signatureBytes)
  // The high bits are the well mixed ones. Zero means that there is no signature.
  if (count >= minTerms) for (let i = 0; i < signatureBytes; i++) signature[i] = Math.max(1, mix(minima[i] as number) >>> 24)
  return signature
}

/** The signatures of all slots as whole words, for `signatureSimilarity`. */
export function wordsOfSignatures(signatures: Uint8Array): Uint32Array {
  return new Uint32Array(signatures.buffer, signatures.byteOffset, signatures.length / 4)
}

const wordsPerSignature = signatureBytes / 4
const lowBits = 0x7f7f7f7f
const lowestBits = 0x01010101

/** The estimated similarity of two signatures, 0 to 1. `a` and `b` are slots. */
export function signatureSimilarity(words: Uint32Array, a: number, b: number): number {
  const [from, to] = [a * wordsPerSignature, b * wordsPerSignature]
  if (words[from] === 0 || words[to] === 0) return 0
  let equal = 0
  for (let i = 0; i < wordsPerSignature; i++) {
    const different = (words[from + i] as number) ^ (words[to + i] as number)
    // SWAR: the highest bit of each byte that is zero. The product sums them in its highest byte.
    const zeros = ~(((different & lowBits) + lowBits) | different | lowBits)
    equal += Math.imul(zeros >>> 7, lowestBits) >>> 24
  }
  return Math.max(0, (equal / signatureBytes - 1 / 255) / (1 - 1 / 255))
}
