/** A seeded pseudo-random generator. */
export type Dice = {
  /** A number in [0, 1). */
  roll(): number
  /** An integer in [0, n). */
  below(n: number): number
  /** An exponentially distributed waiting time with this mean, as between independent events. */
  wait(mean: number): number
}

/** The generator sfc32: 128 bits of state, fast, and good enough for a simulation. */
export function seededRandom(seed: number): Dice {
  let [a, b, c, n] = [0x9e3779b9 ^ seed, 0x243f6a88, seed | 0, 1]
  function roll(): number {
    const sum = (((a + b) | 0) + n) | 0
    n = (n + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let index = 0; index < 16; index++) roll()
  return { roll, below: (max) => Math.floor(roll() * max), wait: (mean) => -Math.log(1 - roll()) * mean }
}
