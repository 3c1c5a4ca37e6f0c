import type { Context } from '../../context.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { getEscrowTerms } from '../holds/get-escrow-terms.ts'
import { escrowCharter, listCharters, loadHold } from '../holds/hold-store.ts'
import { requiredSignatures, requiresDepartingMembers } from './required-signatures.ts'

/** What any member needs, with the charter itself, to bring an approved charter on chain without us. */
export type SealingPackage = {
  /** By the escrow's field names; amounts as decimal strings. */
  readonly terms: { readonly [field: string]: string | number }
  /** Of every payee, in order of first appearance; the signature is `0x` where the evaluator's replaces it. */
  readonly member_signatures: readonly EscrowMemberSignature[]
  /** Over the charter, too: without it none is sealed. */
  readonly evaluator_signature: `0x${string}`
  readonly authorization: EscrowMemberSignature
}

/** Asks the evaluator's key, so it is called outside a transaction. Null where the client has not approved this version, or the money lies in no escrow. */
export async function findSealingPackage(ctx: Context, goalId: string, version: number): Promise<SealingPackage | null> {
  const hold = await loadHold(ctx, goalId)
  if (hold.rail !== 'escrow') return null
  const charters = await listCharters(ctx, goalId)
  const charter = charters.find((one) => one.version === version)
  if (!charter?.authorization) return null
  const { terms } = hold
  const { authorization } = charter
  const sealed = escrowCharter(charter)
  // Any of the earlier ones may be in force when it is brought.
  const earlier = requiresDepartingMembers(terms) ? charters.filter((one) => one.version < version).map(escrowCharter) : []
  const member_signatures = requiredSignatures(sealed, charter.memberSignatures, earlier)
  const evaluator_signature = await ctx.ports.rail.signCharter({ terms, version, charter: sealed })
  return { terms: await getEscrowTerms(ctx, goalId), member_signatures, evaluator_signature, authorization }
}
