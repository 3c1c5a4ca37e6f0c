/** Messages of one write, at most, and their bytes. */
export const mostPosts = 512
const mostBytes = 2_000_000

/** How many of those that wait go as the next write: from the first on, as they came. One goes however large it is. */
export function howManyGo(waiting: number, bytesOf: (index: number) => number): number {
  let bytes = 0
  for (let index = 0; index < waiting; index++) {
    bytes += bytesOf(index)
    if (index > 0 && (index >= mostPosts || bytes > mostBytes)) return index
  }
  return waiting
}
