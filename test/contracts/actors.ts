/** Who acts on the chain in memory, and the small values that measurements and tests write. */
import { type Address, type LocalAccount, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { developmentKey } from '../support/development-keys.ts'

const actor = (index: number) => privateKeyToAccount(developmentKey(index))

/** Keys that the in-memory chain has filled with ether. */
export const actors = {
  relayer: actor(0),
  client: actor(1),
  evaluator: actor(2),
  feeTo: actor(3),
  stranger: actor(4),
  alice: actor(5),
  bob: actor(6),
  carol: actor(7),
  arbitrator: actor(8),
}

/** An event: its name, and its arguments beside it. */
export type ChainEvent = { name: string; [argument: string]: unknown }

export const usdc = (units: number) => BigInt(Math.round(units * 1_000_000))
export const hash = (byte: number) => toHex(byte, { size: 32 })
/** The address of the n-th payee, whose key is known too. */
export const payee = (n: number): Address => payeeAccount(n).address

const payees = new Map<number, LocalAccount>()
function payeeAccount(n: number): LocalAccount {
  const known = payees.get(n) ?? privateKeyToAccount(toHex(0x1000000 + n, { size: 32 }))
  payees.set(n, known)
  return known
}

/** The owner of this address among actors and payees. */
export function accountOf(address: Address): LocalAccount | undefined {
  return [...Object.values(actors), ...payees.values()].find((one) => one.address.toLowerCase() === address.toLowerCase())
}
