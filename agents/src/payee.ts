/** The key that an agent is paid to, as far as it signs charters for the escrow. */
import { type Charter, type CharterTypedData, charterTypedData, type MemberSignature } from '@parley/protocol'

/** An account of viem's is one as it stands. It is asked to sign charters, never anything that moves money. */
export type Payee = {
  readonly address: string
  /** The payout address that it signs for, where that is another one and has allowed it on chain (`setSigner`). */
  readonly signsFor?: string
  signTypedData(typedData: CharterTypedData): Promise<string>
}

/** Undefined where the charter pays this agent elsewhere, or names no escrow. */
export async function signCharter(
  payee: Payee | undefined,
  did: string,
  charter: Charter,
  hash: string,
): Promise<MemberSignature | undefined> {
  const own = charter.steps.filter((step) => step.sender_id === did)
  const address = (payee?.signsFor ?? payee?.address)?.toLowerCase()
  if (!payee || !charter.plan || own.length === 0 || own.some((step) => step.payee !== address)) return undefined
  const signature = await payee.signTypedData(charterTypedData(charter, hash as `0x${string}`, charter.plan))
  return { signer: payee.address.toLowerCase(), signature }
}
