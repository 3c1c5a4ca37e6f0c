/**
 * Which escrow the proof is run against: the committed bytecode, or one of the mutants that main.ts built.
 *
 * ESCROW_UNDER_TEST names a JSON file `{ "bytecode": "0x…", "mutant": n }`. All mutants live in one build: the word at
 * `mutantSlot` of the escrow's storage says which of them is awake, 0 being none.
 */
import { readFileSync } from 'node:fs'
import { network } from 'hardhat'
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

/** An in-memory chain. With its mutants in it the escrow outgrows what a contract may have. */
export const chainUnderTest = (chainId = 31_337) =>
  network.create({ network: 'node', override: { chainId, allowUnlimitedContractSize: Boolean(process.env.ESCROW_UNDER_TEST) } })
