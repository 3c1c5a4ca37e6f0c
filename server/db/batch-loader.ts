import { isDatabaseAway } from '../errors.ts'

/**
 * Makes one question of many: what is asked at one moment, or while one is being answered, goes together, `most` at a time.
 * `ask` answers each, in their order. Where it fails, each is asked once more by itself, so that one bad one spoils no other.
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
