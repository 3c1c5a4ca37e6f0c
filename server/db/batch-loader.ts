import { isDatabaseAway } from '../errors.ts'

/**
 * Batches calls into one query (the DataLoader pattern): calls made in one turn, or during the previous query, go together, up to
 * `maxBatch`.
 * `loadBatch` answers each call in order. If it fails, each call is retried alone, so that one bad call cannot fail the others.
 */
export function createBatchLoader<Asked, Answer>(
  maxBatch: number,
  loadBatch: (batch: readonly Asked[]) => Promise<readonly Answer[]>,
): (one: Asked) => Promise<Answer> {
  const waiting: Waiting<Asked, Answer>[] = []
  let isAsking = false

  async function askAll(): Promise<void> {
    isAsking = true
    await null
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      await answer(batch)
    }
    isAsking = false
  }

  async function answer(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await loadBatch(batch.map(({ one }) => one))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error)
      else for (const waiting of batch) await answer([waiting])
    }
  }

  return (one) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    waiting.push({ one, resolve, reject })
    if (!isAsking) void askAll()
    return promise
  }
}

type Waiting<Asked, Answer> = { readonly one: Asked; resolve(answer: Answer): void; reject(error: unknown): void }
