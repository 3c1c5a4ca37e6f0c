/** What a block explorer is given to verify a contract: solc's standard JSON input, with every source in it. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { cheapest, cheapestRuns, readSource, runs, settings, solc } from '../abi/compile.ts'

export type StandardInput = {
  readonly language: 'Solidity'
  readonly sources: { readonly [file: string]: { readonly content: string } }
  readonly settings: object
}

/** The compiler that explorers have to choose, as they name it. */
export const compilerVersion = `v${solc.version}`

/** @param file from the root, such as `contracts/PlanEscrow.sol` */
export function solcStandardInput(file: string): StandardInput {
  const sources: Record<string, { content: string }> = {}
  const waiting = [file]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next in sources) continue
    const content = readSource(next)
    sources[next] = { content }
    for (const [, imported = ''] of content.matchAll(/^import\s[^;]*?["']([^"']+)["']\s*;/gm))
      waiting.push(imported.startsWith('.') ? path.posix.join(path.posix.dirname(next), imported) : imported)
  }
  const optimizer = { enabled: true, runs: cheapest.includes(file) ? cheapestRuns : runs }
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  return { language: 'Solidity', sources, settings: { ...settings, optimizer, outputSelection } }
}

type Output = { readonly contracts: Record<string, Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>> }

/**
 * Builds the standard input of `file` as a block explorer does, with no other source at hand.
 * @returns the creation bytecode of the contract that the file is named after
 */
export function buildStandardInput(file: string): `0x${string}` {
  const compiler = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const output = JSON.parse(compiler.compile(JSON.stringify(solcStandardInput(file)))) as Output
  return `0x${output.contracts[file]?.[path.basename(file, '.sol')]?.evm.bytecode.object ?? ''}`
}
