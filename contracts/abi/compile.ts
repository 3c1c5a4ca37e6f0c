/**
 * The compiler with the settings of every build. It compiles one contract at a time, because with `viaIR` the other sources of an input
 * change the bytecode.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export type Compiled = { abi: readonly unknown[]; bytecode: `0x${string}`; deployedBytecode: `0x${string}` }

type Code = { object: string }
type Output = {
  contracts?: Record<string, Record<string, { abi: readonly unknown[]; evm?: { bytecode: Code; deployedBytecode: Code } }>>
  errors?: { severity: string; formattedMessage: string }[]
}
type Compiler = { compile: (input: string, callbacks: { import: (file: string) => { contents: string } }) => string }

const root = path.join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

/** The npm package itself, so that building downloads nothing. */
export const solc = { version: require('solc/package.json').version as string, path: require.resolve('solc/soljson.js') }

export const settings = {
  evmVersion: 'cancun', // transient storage, for the lock
  viaIR: true,
  metadata: { bytecodeHash: 'none' as const }, // a comment must not change the committed bytecode
}

/** For how many calls the optimizer builds: for a thousand, PlanEscrow would outgrow the 24,576 bytes a contract may have. */
export const runs = 200

/** Called for every payment, and small enough: built for the cheapest call. */
export const cheapestRuns = 1_000_000
export const cheapest: readonly string[] = ['contracts/VoucherChannels.sol']

/** The text of a source file, by its path from the root or its package. */
export function readSource(file: string): string {
  return readFileSync(path.join(root, file.startsWith('@') ? 'node_modules' : '.', file), 'utf8')
}

/**
 * Builds the contract that a file is named after.
 * @param file from the root, such as `contracts/PlanEscrow.sol`
 * @param options.read what stands in each source file; by default what is on disk
 * @throws what the compiler says, if it does not build
 */
export function compile(file: string, options: { read?: (file: string) => string; runs?: number } = {}): Compiled {
  const read = options.read ?? readSource
  const name = path.basename(file, '.sol')
  const optimizer = { enabled: true, runs: options.runs ?? (cheapest.includes(file) ? cheapestRuns : runs) }
  const outputSelection = { [file]: { [name]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  const input = { language: 'Solidity', sources: { [file]: { content: read(file) } }, settings: { ...settings, optimizer, outputSelection } }
  const compiler = require('solc') as Compiler
  const output = JSON.parse(compiler.compile(JSON.stringify(input), { import: (other) => ({ contents: read(other) }) })) as Output
  const built = output.contracts?.[file]?.[name]
  if (!built?.evm?.bytecode.object) {
    const errors = output.errors?.filter((error) => error.severity === 'error').map((error) => error.formattedMessage)
    throw new Error(errors?.join('\n') || `${file} makes no code`)
  }
  return {
    abi: built.abi,
    bytecode: `0x${built.evm.bytecode.object}`,
    deployedBytecode: `0x${built.evm.deployedBytecode.object}`,
  }
}
