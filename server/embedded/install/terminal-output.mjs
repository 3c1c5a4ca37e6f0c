// What the commands print: one line a step, with the time that it took.

/** @param {string} line */
export function printLine(line) {
  process.stdout.write(`${line}\n`)
}

/**
 * Does the step and prints its line. The text may depend on what came out.
 * @template T
 * @param {string | ((result: T) => string)} text
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(text, work) {
  const begun = performance.now()
  const result = await work()
  const line = typeof text === 'function' ? text(result) : text
  printLine(`  ${line.padEnd(52)} ${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s`)
  return result
}
