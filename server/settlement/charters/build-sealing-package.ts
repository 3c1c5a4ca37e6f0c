import type { Context } from '../../context.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { getEscrowTerms } from '../holds/get-escrow-terms.ts'
import { escrowCharter, listCharters, loadHold } from '../holds/hold-store.ts'
import { requiredSealSignatures, requiresDepartingMembers } from './required-seal-signatures.ts'

/** Everything that a member needs, besides the charter, to seal an approved charter without the server. */
export type SealingPackage = {
  /** By the escrow's field names. Amounts are decimal strings. */
  readonly terms: { readonly [field: string]: string | number }
  /** One per payee, in order of first appearance. `0x` if the evaluator's signature replaces it. */
  readonly member_signatures: readonly EscrowMemberSignature[]
  /** The evaluator's signature over the charter. The escrow seals no charter without it. */
  readonly evaluator_signature: `0x${string}`
  readonly authorization: EscrowMemberSignature
}

/**
 * Builds the sealing package. Calls the evaluator's signer, so call it outside a transaction. Null if the client has not approved
 * this version, or if the goal is not paid through the escrow.
 */
export async function buildSealingPackage(ctx: Context, goalId: string, version: number): Promise<SealingPackage | null> {
  const hold = await loadHold(ctx, goalId)
  if (hold.rail !== 'escrow') return null
  const charters = await listCharters(ctx, goalId)
  const charter = charters.find((one) => one.version === version)
  if (!charter?.authorization) return null
  const { terms } = hold
  const { authorization } = charter
  const sealed = escrowCharter(charter)
  // Any earlier version may be in force when the charter is sealed.
  const earlier = requiresDepartingMembers(terms) ? charters.filter((one) => one.version < version).map(escrowCharter) : []
  const member_signatures = requiredSealSignatures(sealed, charter.memberSignatures, earlier)
  const evaluator_signature = await ctx.ports.rail.signCharter({ terms, version, charter: sealed })
  return { terms: await getEscrowTerms(ctx, goalId), member_signatures, evaluator_signature, authorization }
}
