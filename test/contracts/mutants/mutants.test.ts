/** The mutants of the escrow: each still applies. `npm run test:mutants` builds and kills them. */
import { describe, expect, it } from 'vitest'
import { readSource } from '../../../contracts/abi/compile.ts'
import { withMutant } from './build.ts'
import { mutants } from './list.ts'

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
