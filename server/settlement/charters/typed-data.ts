import { charterAuthorizationTypes, charterVetoTypes, escrowDomain } from '@parley/protocol'
import { charterMessage } from '../../../contracts/abi/index.ts'
import type { Context } from '../../context.ts'
import type { EscrowMemberSignature, TypedData } from '../../ports.ts'
import { authorizationInvalid } from '../errors.ts'
import type { EscrowHold } from '../holds/hold.ts'
import { type Charter, escrowCharter } from '../holds/hold-store.ts'
import { canonicalSignature, isSignedByKey } from '../rails/ecdsa-signature.ts'

type Hex = `0x${string}`
const nobody = `0x${'0'.repeat(40)}`

/** What the client, or the session key of the terms, signs to approve a charter. */
export function authorizationTypedData(hold: EscrowHold, charter: Charter): TypedData {
  return {
    domain: escrowDomain(hold.chainId, hold.escrow),
    types: charterAuthorizationTypes,
    primaryType: 'CharterAuthorization',
    message: charterMessage(hold.planId, charter.version, escrowCharter(charter)),
  }
}

/** What the client, or the session key of the terms, signs to refuse a proposed charter. */
export function vetoTypedData(hold: EscrowHold, version: number): TypedData {
  return {
    domain: escrowDomain(hold.chainId, hold.escrow),
    types: charterVetoTypes,
    primaryType: 'CharterVeto',
    message: { planId: hold.planId, version },
  }
}

/**
 * Who of the two that may has signed, as the escrow takes it: the session key as a key only, the client's wallet also by its code.
 * Asks the chain about contract wallets, so it is called outside a transaction.
 * @throws team.signature_invalid
 */
export async function requireClientSignature(
  ctx: Context,
  hold: EscrowHold,
  given: { readonly typedData: TypedData; readonly signature: Hex; readonly what: string },
): Promise<EscrowMemberSignature> {
  const { typedData } = given
  const { authorizer, client } = hold.terms
  const signature = canonicalSignature(given.signature)
  for (const address of authorizer === nobody ? [client] : [authorizer, client])
    if (await isSignedByKey({ address, typedData, signature })) return { signer: address, signature }
  const { verifyWallet } = ctx.ports
  if (await verifyWallet.typedData({ address: client, typedData, signature: given.signature }))
    return { signer: client, signature: given.signature }
  throw authorizationInvalid(given.what)
}

/** Whether the client's approval counts for ever, because a key gave it. What a contract wallet answers can change. */
export async function isApprovedByKey(hold: EscrowHold, charter: Charter, given: EscrowMemberSignature): Promise<boolean> {
  return isSignedByKey({ address: given.signer, typedData: authorizationTypedData(hold, charter), signature: given.signature })
}
