/** A priority queue of events by time; first in, first out at equal times. It allocates no object per event. */
export type EventQueue = {
  /** The event that `next` took: its time in milliseconds, a kind, and four numbers with a meaning by kind. */
  readonly taken: { at: number; kind: number; a: number; b: number; c: number; d: number }
  put(at: number, kind: number, a?: number, b?: number, c?: number, d?: number): void
  /** Takes the next event. False if the queue is empty. */
  next(): boolean
  size(): number
}

/** Children per heap node: more than two, so that the heap is flatter and touches fewer cache lines. */
const arity = 4
const fields = 5

export function createEventQueue(capacity = 1_024): EventQueue {
  let room = capacity
  let times = new Float64Array(room)
  let orders = new Float64Array(room)
  let slots = new Int32Array(room)
  let data = new Int32Array(room * fields)
  let free = Int32Array.from({ length: room }, (_, index) => room - 1 - index)
  let freeCount = room
  let size = 0
  let order = 0
  const taken = { at: 0, kind: 0, a: 0, b: 0, c: 0, d: 0 }

  function grow(): void {
    const wider = room * 2
    const copy = <T extends Float64Array | Int32Array>(to: T, from: T): T => {
      to.set(from as never)
      return to
    }
    times = copy(new Float64Array(wider), times)
    orders = copy(new Float64Array(wider), orders)
    slots = copy(new Int32Array(wider), slots)
    data = copy(new Int32Array(wider * fields), data)
    free = copy(new Int32Array(wider), free)
    for (let slot = wider - 1; slot >= room; slot--) free[freeCount++] = slot
    room = wider
  }

  const isBefore = (at: number, own: number, place: number) => {
    const there = times[place] as number
    return at < there || (at === there && own < (orders[place] as number))
  }

  function settle(place: number, at: number, own: number, slot: number): void {
    times[place] = at
    orders[place] = own
    slots[place] = slot
  }

  function rise(from: number, at: number, own: number, slot: number): void {
    let place = from
    while (place > 0) {
      const above = ((place - 1) / arity) | 0
      if (!isBefore(at, own, above)) break
      settle(place, times[above] as number, orders[above] as number, slots[above] as number)
      place = above
    }
    settle(place, at, own, slot)
  }

  function sink(at: number, own: number, slot: number): void {
    let place = 0
    for (;;) {
      const first = place * arity + 1
      if (first >= size) break
      let min = first
      const end = Math.min(first + arity, size)
      for (let child = first + 1; child < end; child++) if (isBefore(times[child] as number, orders[child] as number, min)) min = child
      if (isBefore(at, own, min)) break
      settle(place, times[min] as number, orders[min] as number, slots[min] as number)
      place = min
    }
    settle(place, at, own, slot)
  }

  return {
    taken,
    put(at, kind, a = 0, b = 0, c = 0, d = 0) {
      if (size === room) grow()
      const slot = free[--freeCount] as number
      const base = slot * fields
      data[base] = kind
      data[base + 1] = a
      data[base + 2] = b
      data[base + 3] = c
      data[base + 4] = d
      rise(size++, at, order++, slot)
    },
    next() {
      if (size === 0) return false
      const slot = slots[0] as number
      const base = slot * fields
      taken.at = times[0] as number
      taken.kind = data[base] as number
      taken.a = data[base + 1] as number
      taken.b = data[base + 2] as number
      taken.c = data[base + 3] as number
      taken.d = data[base + 4] as number
      free[freeCount++] = slot
      size--
      if (size > 0) sink(times[size] as number, orders[size] as number, slots[size] as number)
      return true
    },
    size: () => size,
  }
}
