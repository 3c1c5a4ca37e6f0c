import type { Context } from '../context.ts'
import type { EscrowMemberSignature } from '../ports.ts'
import { getTerms } from './get-terms.ts'
import { escrowCharter, listCharters, loadHold } from './store.ts'

/** What any member needs, with the charter itself, to bring an approved charter on chain without us. */
export type SealingPackage = {
  /** By the escrow's field names; amounts as decimal strings. */
  readonly terms: { readonly [field: string]: string | number }
  /** Of every payee, in order of first appearance; the signature is `0x` of one that has no key. */
  readonly member_signatures: readonly EscrowMemberSignature[]
  /** Over the charter, too: without it none is sealed. */
  readonly evaluator_signature: `0x${string}`
  readonly authorization: EscrowMemberSignature
}

/** Asks the evaluator's key, so it is called outside a transaction. Null where the client has not approved this version, or the money lies in no escrow. */
export async function findSealingPackage(ctx: Context, goalId: string, version: number): Promise<SealingPackage | null> {
  const hold = await loadHold(ctx, goalId)
  if (hold.rail !== 'escrow') return null
  const charter = (await listCharters(ctx, goalId)).find((one) => one.version === version)
  if (!charter?.authorization) return null
  const { terms } = hold
  const { memberSignatures: member_signatures, authorization } = charter
  const evaluator_signature = await ctx.ports.rail.signCharter({ terms, version, charter: escrowCharter(charter) })
  return { terms: await getTerms(ctx, goalId), member_signatures, evaluator_signature, authorization }
}
