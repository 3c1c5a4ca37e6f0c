/**
 * Pairs of numbers, each kept once under a number of its own: its place in the order in which they came. In typed arrays, and
 * compared as they are, so that no two are ever taken for one.
 */
export type Pairs = ReturnType<typeof createPairs>

export function createPairs(size = 1 << 16) {
  let lefts = new Uint32Array(size)
  let rights = new Uint32Array(size)
  /** Places of a hash table: the pair's number and one, 0 where nothing is. */
  let table = new Uint32Array(size * 2)
  let count = 0

  const placeOf = (left: number, right: number): number => {
    let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    const mask = table.length - 1
    let at = (hash ^ (hash >>> 13)) & mask
    for (let known = table[at] as number; known !== 0; known = table[at] as number) {
      if (lefts[known - 1] === left && rights[known - 1] === right) return at
      at = (at + 1) & mask
    }
    return at
  }
  const grow = (): void => {
    lefts = longer(lefts)
    rights = longer(rights)
    table = new Uint32Array(table.length * 2)
    for (let id = 0; id < count; id++) table[placeOf(lefts[id] as number, rights[id] as number)] = id + 1
  }

  return {
    /** The pair's number; that of one that is new is the count before. */
    of(left: number, right: number): number {
      const at = placeOf(left, right)
      const known = table[at] as number
      if (known !== 0) return known - 1
      table[at] = count + 1
      lefts[count] = left
      rights[count] = right
      count++
      if (count === lefts.length) grow()
      return count - 1
    },
    count: () => count,
    left: (id: number) => lefts[id] as number,
    right: (id: number) => rights[id] as number,
  }
}

/** The same numbers with as much room again. */
export function longer(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(numbers.length * 2)
  grown.set(numbers)
  return grown
}
