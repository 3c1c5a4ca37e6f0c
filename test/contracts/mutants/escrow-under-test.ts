/**
 * The escrow that the tests run against: the committed bytecode, a mutant that main.ts built, or the version with probes that reach/main.ts
 * built.
 *
 * ESCROW_UNDER_TEST names a JSON file `{ "bytecode": "0x…", "mutant": n }`. All mutants live in one build: the word at
 * `mutantSlot` of the escrow's storage states which of them is awake, 0 being none. `probed` holds the other contracts with
 * probes, by the bytecode whose place they take.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import hre, { network } from 'hardhat'
import { type Hex, keccak256, toHex } from 'viem'
import { planEscrowBytecode } from '../../../contracts/abi/plan-escrow.ts'

export const mutantSlot = keccak256(toHex('parley.mutant'))

export type EscrowUnderTest = {
  bytecode: Hex
  /** Wakes the mutant in the escrow just deployed; nothing to do for the committed one. */
  choose: (setStorage: (slot: Hex, value: Hex) => Promise<unknown>) => Promise<void>
}

export function escrowUnderTest(): EscrowUnderTest {
  const file = process.env.ESCROW_UNDER_TEST
  if (!file) return { bytecode: planEscrowBytecode, choose: async () => {} }
  const { bytecode, mutant } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex; mutant: number }
  return { bytecode, choose: async (setStorage) => void (await setStorage(mutantSlot, toHex(mutant, { size: 32 }))) }
}

/** What to deploy instead of another contract's committed bytecode: the same, or the one with probes. */
export function codeUnderTest(committed: Hex): Hex {
  const file = process.env.ESCROW_UNDER_TEST
  const probed = file ? (JSON.parse(readFileSync(file, 'utf8')) as { probed?: Record<Hex, Hex> }).probed : undefined
  return probed?.[committed] ?? committed
}

/** Where the probes of reach/main.ts report, if they are in this build. */
function mutantFromEnvironment(): string | undefined {
  const file = process.env.ESCROW_UNDER_TEST
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as { reached?: string }).reached : undefined
}

let isListening = false
/** Writes each probe that is passed down once. To be called before there is a chain. */
function listenToProbes(): void {
  const folder = mutantFromEnvironment()
  if (!folder || isListening) return
  isListening = true
  const seen = new Set<string>()
  hre.hooks.registerHandlers('network', {
    onCoverageData: async (_context, tags) => {
      const fresh = tags.filter((tag) => !seen.has(tag))
      for (const tag of fresh) seen.add(tag)
      if (fresh.length > 0) appendFileSync(path.join(folder, `${process.pid}.txt`), `${[...new Set(fresh)].join('\n')}\n`)
    },
  })
}

/** An in-memory chain. With its mutants in it the escrow outgrows what a contract may have. */
export function chainUnderTest(chainId = 31_337) {
  listenToProbes()
  return network.create({ network: 'node', override: { chainId, allowUnlimitedContractSize: Boolean(process.env.ESCROW_UNDER_TEST) } })
}
