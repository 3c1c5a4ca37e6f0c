/** Limits of one group commit: messages and bytes. */
export const maxBatchPosts = 512
const maxBatchBytes = 2_000_000

/** How many of the waiting posts go into the next batch, in order. The first one always does, independent of its size. */
export function batchSize(waiting: number, bytesOf: (index: number) => number): number {
  let bytes = 0
  for (let index = 0; index < waiting; index++) {
    bytes += bytesOf(index)
    if (index > 0 && (index >= maxBatchPosts || bytes > maxBatchBytes)) return index
  }
  return waiting
}
