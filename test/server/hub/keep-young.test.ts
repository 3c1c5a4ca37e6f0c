import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const file = path.join(import.meta.dirname, '../../../server/hub/keep-young.ts')

/** Lists that outlive every collection of a small young generation; of the next 100, how many begin in it when that is least? */
const program = (first: string) => `
  import { keepYoung } from ${JSON.stringify(file)}
  ${first}
  const isYoung = new Function('list', 'return %InYoungGeneration(list)')
  const say = (at) => ({ parts: [at, at + 1], at })
  let least = 100
  for (let round = 0; round < 300 && least > 10; round++) {
    const kept = []
    for (let at = 0; at < 40_000; at++) kept.push(say(at))
    let young = 0
    for (let at = 0; at < 100; at++) if (isYoung(say(at).parts)) young++
    least = Math.min(least, young)
  }
  console.log(least)`

async function youngAfter(first: string): Promise<number> {
  const flags = ['--allow-natives-syntax', '--max-semi-space-size=1', '--input-type=module', '--eval', program(first)]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  return Number(stdout)
}

it('begins what was long-lived under load young all the same', async () => {
  expect(await youngAfter('keepYoung()')).toBe(100)
  // Otherwise V8 would have made them old: a test that can fail.
  expect(await youngAfter('')).toBeLessThan(10)
})
