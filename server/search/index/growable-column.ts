/** Typed arrays that grow. Readers keep no reference to `data` across a write. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array
export type GrowableColumn<T extends Numbers | BigInt64Array = Numbers> = {
  data: T
  /** Makes room for `size` entries. New entries are 0. */
  ensure(size: number): void
}

const firstSize = 256

/** `width`: entries per row. */
export function createGrowableColumn<T extends Numbers | BigInt64Array>(type: new (size: number) => T, width = 1): GrowableColumn<T> {
  const column = {
    data: new type(firstSize * width),
    ensure(size: number) {
      if (size * width <= column.data.length) return
      const grown = new type(Math.max(size * width, Math.ceil(column.data.length * 1.6)))
      ;(grown as Uint8Array).set(column.data as Uint8Array)
      column.data = grown
    },
  }
  return column
}

/** Lists of numbers in one array, written once each. */
export type Lists = {
  readonly items: GrowableColumn<Uint32Array>
  /** The number of used entries. */
  used: number
  /** Appends a list and returns its start. */
  add(values: ArrayLike<number>): number
}

export function createLists(): Lists {
  const lists: Lists = {
    items: createGrowableColumn(Uint32Array),
    used: 0,
    add(values) {
      const start = lists.used
      lists.items.ensure(start + values.length)
      lists.items.data.set(values, start)
      lists.used += values.length
      return start
    },
  }
  return lists
}

/** Numbers for strings, from 0. */
export type Dictionary = {
  readonly texts: string[]
  /** The code of a text, which is created if missing. */
  codeOf(text: string): number
  find(text: string): number | undefined
}

export function createDictionary(): Dictionary {
  const codes = new Map<string, number>()
  const texts: string[] = []
  return {
    texts,
    codeOf(text) {
      const known = codes.get(text)
      if (known !== undefined) return known
      codes.set(text, texts.length)
      texts.push(text)
      return texts.length - 1
    },
    find: (text) => codes.get(text),
  }
}
