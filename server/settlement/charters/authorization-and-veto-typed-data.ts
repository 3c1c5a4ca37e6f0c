import { cardPlan, charterAuthorizationTypes, charterVetoTypes, escrowDomain } from '@parley/protocol'
import { charterMessage } from '../../../contracts/abi/index.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData, EscrowMemberSignature } from '../../ports.ts'
import { authorizationInvalid } from '../errors.ts'
import type { EscrowHold, Hold } from '../holds/hold.ts'
import { escrowCharter, type HoldCharter } from '../holds/hold-store.ts'
import { canonicalEcdsaSignature, isSignedByKey } from '../rails/ecdsa-signature.ts'

type Hex = `0x${string}`
const zeroAddress = `0x${'0'.repeat(40)}`

/** The plan that the client's signatures name. */
type SignedPlan = Pick<EscrowHold, 'chainId' | 'escrow' | 'planId'>

/** The hold's plan at the escrow; on the card rail, the plan that only the server checks. */
export function signedPlan({ market }: Pick<Context, 'market'>, hold: Hold): SignedPlan {
  if (hold.rail === 'escrow') return hold
  const { chain_id: chainId, escrow, plan_id: planId } = cardPlan(hold.goalId, market.chainId)
  return { chainId, escrow: escrow as Hex, planId: planId as Hex }
}

/** Typed data with which the client or the session key approves a charter. */
export function authorizationTypedData({ chainId, escrow, planId }: SignedPlan, charter: HoldCharter): Eip712TypedData {
  return {
    domain: escrowDomain(chainId, escrow),
    types: charterAuthorizationTypes,
    primaryType: 'CharterAuthorization',
    message: charterMessage(planId, charter.version, escrowCharter(charter)),
  }
}

/** Typed data with which the client or the session key vetoes a proposed charter. */
export function vetoTypedData({ chainId, escrow, planId }: SignedPlan, version: number): Eip712TypedData {
  return {
    domain: escrowDomain(chainId, escrow),
    types: charterVetoTypes,
    primaryType: 'CharterVeto',
    message: { planId, version },
  }
}

/**
 * Returns which of the two signers signed. The session key must sign as a key; the client's wallet may also sign as a contract
 * (ERC-1271). Queries the chain for contract wallets, so call it outside a transaction.
 * @throws team.signature_invalid
 */
export async function requireClientSignature(
  ctx: Context,
  hold: Hold,
  given: { readonly typedData: Eip712TypedData; readonly signature: Hex; readonly what: string },
): Promise<EscrowMemberSignature> {
  const { typedData } = given
  const { authorizer, client } = hold.terms
  const signature = canonicalEcdsaSignature(given.signature)
  for (const address of authorizer === zeroAddress ? [client] : [authorizer, client])
    if (await isSignedByKey({ address, typedData, signature })) return { signer: address, signature }
  const { verifyWallet } = ctx.ports
  if (await verifyWallet.typedData({ address: client, typedData, signature: given.signature }))
    return { signer: client, signature: given.signature }
  throw authorizationInvalid(given.what)
}

/** Whether a key gave the approval, which makes it permanent. The answer of a contract wallet can change. */
export async function isApprovedByKey(hold: EscrowHold, charter: HoldCharter, given: EscrowMemberSignature): Promise<boolean> {
  return isSignedByKey({ address: given.signer, typedData: authorizationTypedData(hold, charter), signature: given.signature })
}
