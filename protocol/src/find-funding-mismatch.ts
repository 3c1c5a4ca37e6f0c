/** What a client checks before its wallet signs the funding of a goal. */
import { type Charter, charterHash } from './charter.ts'
import { charterBinding } from './charter-typed-data.ts'
import { escrowPlanId } from './escrow-plan-id.ts'
import type { EscrowTerms } from './escrow-types.ts'

/** The funding as the server prepared it. `typedData`: what the wallet is asked to sign. */
export type PreparedFunding = {
  readonly typedData: { readonly message: object }
  readonly terms: EscrowTerms
  readonly charter: Charter | null
}
type Escrow = { readonly chainId: number; readonly escrow: string }

const noCharter = `0x${'0'.repeat(64)}`

/**
 * Whether the signature would fund something else than the client saw: `payment` if it moves other money or names another plan, `team` if
 * the terms name another charter than the shown one. Null if all fits.
 */
export async function findFundingMismatch(funding: PreparedFunding, { chainId, escrow }: Escrow): Promise<'payment' | 'team' | null> {
  const { terms, charter } = funding
  const message = funding.typedData.message as { readonly [field: string]: unknown }
  const isPayment = message.nonce === escrowPlanId(terms, { chainId, escrow }) && BigInt(String(message.value)) === terms.total
  if (!isPayment || String(message.to).toLowerCase() !== escrow.toLowerCase()) return 'payment'
  const binding = charter ? charterBinding(charter, await charterHash(charter)) : noCharter
  return terms.charter === binding ? null : 'team'
}
