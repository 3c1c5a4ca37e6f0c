/** Messages of one write, at most, and their bytes. */
export const maxBatchPosts = 512
const maxBatchBytes = 2_000_000

/** How many of those that wait go as the next write: from the first on, as they came. One goes however large it is. */
export function batchSize(waiting: number, bytesOf: (index: number) => number): number {
  let bytes = 0
  for (let index = 0; index < waiting; index++) {
    bytes += bytesOf(index)
    if (index > 0 && (index >= maxBatchPosts || bytes > maxBatchBytes)) return index
  }
  return waiting
}
