/** Adds numbers. */

/** The sum without the rounding error of adding in order (Neumaier). */
export function sumNumbers(values: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + lost
}
