/** The vectors of queries by an embedder outside of the process. Repeated queries do not ask it again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { TextEmbedder } from './embedder.ts'

export type QueryVectorCache = {
  /** Undefined if the embedder fails or takes too long: the query is then answered by its words. */
  vectorOf(text: string): Promise<Float32Array | undefined>
}

const maxKept = 2_000

/** `maxWaitMs`: how long a query waits. A later answer serves the next query of this text. */
export function createQueryVectorCache(embedder: TextEmbedder, maxWaitMs = 400): QueryVectorCache {
  const known = new Map<string, Promise<Float32Array | undefined>>()
  const ask = (text: string) => {
    const answer = embedder.embedTexts([text]).then(
      ([vector]) => vector,
      () => undefined,
    )
    known.set(text, answer)
    void answer.then((vector) => {
      if (vector === undefined) known.delete(text)
    })
    const [oldest] = known.keys()
    if (known.size > maxKept && oldest !== undefined) known.delete(oldest)
    return answer
  }
  return { vectorOf: (text) => Promise.race([known.get(text) ?? ask(text), pause(maxWaitMs, undefined, { ref: false })]) }
}
