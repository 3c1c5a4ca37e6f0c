/** What a block explorer is given to verify a contract: solc's standard JSON input, with every source in it. */
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
