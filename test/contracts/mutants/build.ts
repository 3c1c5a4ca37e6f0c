/** Builds the escrow with all its mutants asleep in it: one run of the compiler, nothing written into the tree. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Hex } from 'viem'
import { type Mutant, mutants } from './list.ts'
import { mutantSlot } from './under-test.ts'

type Compiler = { compile: (input: string, callbacks: { import: (file: string) => { contents: string } | { error: string } }) => string }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

const root = path.join(import.meta.dirname, '../../..')
const solc = createRequire(import.meta.url)('solc') as Compiler
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
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'contracts/PlanEscrow.sol': { content: sourceOf('contracts/PlanEscrow.sol') } },
        settings: {
          evmVersion: 'cancun',
          viaIR: true,
          optimizer: { enabled: true, runs: 1 },
          outputSelection: { 'contracts/PlanEscrow.sol': { PlanEscrow: ['evm.bytecode.object'] } },
        },
      }),
      { import: (file) => ({ contents: sourceOf(file) }) },
    ),
  ) as Output
  const errors = output.errors?.filter((error) => error.severity === 'error') ?? []
  const code = output.contracts?.['contracts/PlanEscrow.sol']?.PlanEscrow?.evm.bytecode.object
  if (!code) throw new Error(`the mutants do not build: ${errors.map((error) => error.formattedMessage).join('\n')}`)
  return `0x${code}`
}

/** A source file with every mutant of it in place. */
function sourceOf(file: string): string {
  if (file === switchFile) return switchSource
  const text = readFileSync(path.join(root, file.startsWith('@') ? 'node_modules' : '.', file), 'utf8')
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
