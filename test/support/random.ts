/** Chances that come again with the same seed: from 0 to 1, without 1. */
export type Random = () => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A seed of its own for each name, so that one case does not depend on how many came before it. */
export function seedOf(seed: number, name: string): number {
  let hash = (2_166_136_261 ^ seed) >>> 0
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619) >>> 0
  return hash
}

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const mixed = [...list]
  for (let last = mixed.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1))
    ;[mixed[last], mixed[at]] = [mixed[at] as T, mixed[last] as T]
  }
  return mixed
}

export const oneOf = <T>(list: readonly T[], random: Random): T | undefined => list[Math.floor(random() * list.length)]
