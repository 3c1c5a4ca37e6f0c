/** Builds the escrow with all its mutants asleep in it: one run of the compiler, nothing written into the tree. */
import type { Hex } from 'viem'
import { compile, readSource } from '../../../contracts/abi/compile.ts'
import { mutantSlot } from './escrow-under-test.ts'
import { type Mutant, mutants } from './list.ts'

const switchFile = 'parley/awake.sol'

/** The pointer's type is changed, because pure functions have mutants too. */
const switchSource = `// SPDX-License-Identifier: Apache-2.0
pragma solidity >=0.8.20;
function _awake(uint256 mutant) view returns (bool is_) {
    assembly { is_ := eq(sload(${mutantSlot}), mutant) }
}
function awake(uint256 mutant) pure returns (bool) {
    function(uint256) view returns (bool) looking = _awake;
    function(uint256) pure returns (bool) blind;
    assembly { blind := looking }
    return blind(mutant);
}
`

/** @throws when a mutant's text does not stand exactly once in its file: then the contract moved on without its mutant. */
export function buildMutants(): Hex {
  return compile('contracts/PlanEscrow.sol', { read: sourceOf, runs: 1 }).bytecode
}

/** A source file with every mutant of it in place. */
function sourceOf(file: string): string {
  if (file === switchFile) return switchSource
  const text = readSource(file)
  const mine = mutants.filter((mutant) => mutant.file === file)
  if (mine.length === 0) return text
  const mutated = mine.reduce(withMutant, text)
  return mutated.replace(/^pragma solidity .*$/m, (line) => `${line}\nimport {awake} from "${switchFile}";`)
}

export function withMutant(source: string, { name, text, becomes }: Mutant): string {
  const found = source.split(text).length - 1
  if (found !== 1) throw new Error(`the mutant "${name}" does not apply: its text stands there ${found} times`)
  return source.replace(text, () => becomes)
}
