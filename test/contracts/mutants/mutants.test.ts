/**
 * The mutants of the escrow: each still applies; and a few of them are built and killed here, all by `npm run test:mutants`.
 * These few are the drain of a plan that was never funded, one that the fuzz has to find, and one of another kind.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSource } from '../../../contracts/abi/compile.ts'
import { withMutant } from './build.ts'
import { mutants } from './list.ts'

const root = path.join(import.meta.dirname, '../../..')

describe('a mutant', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s: applies, once, and changes the source', (_, mutant) => {
    expect(withMutant(readSource(mutant.file), mutant)).not.toBe(readSource(mutant.file))
    expect(mutant.becomes).toContain(`awake(${mutants.indexOf(mutant) + 1})`)
  })

  it('whose text is gone, or there twice, is reported', () => {
    const mutant = { name: 'gone', triedFirst: 'drain', file: 'a.sol', text: 'x', becomes: 'y' }
    expect(() => withMutant('a b', mutant)).toThrow('stands there 0 times')
    expect(() => withMutant('x x', mutant)).toThrow('stands there 2 times')
  })
})

describe('the proof', () => {
  it('kills three of them', { timeout: 600_000 }, async () => {
    const main = path.join(import.meta.dirname, 'main.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [main, '13', '4', '14'], { cwd: root, maxBuffer: 1 << 24 })
    expect(stdout).toContain('by: 3: a plan does not add up')
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    expect(last).toEqual({ name: 'test:mutants', ok: true, figures: { mutants: 3, killed: 3 } })
  })
})
