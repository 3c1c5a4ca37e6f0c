import { charterAuthorizationTypes, charterVetoTypes, escrowDomain } from '@parley/protocol'
import { charterMessage } from '../../contracts/abi/index.ts'
import type { Context } from '../context.ts'
import type { EscrowMemberSignature, TypedData } from '../ports.ts'
import { authorizationInvalid } from './charter-errors.ts'
import type { EscrowHold } from './hold.ts'
import { type Charter, escrowCharter } from './store.ts'

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
 * Who of the two that may has signed. Asks the chain about contract wallets, so it is called outside a transaction.
 * @throws team.signature_invalid
 */
export async function requireClientSignature(
  ctx: Context,
  hold: EscrowHold,
  given: { readonly typedData: TypedData; readonly signature: Hex; readonly what: string },
): Promise<EscrowMemberSignature> {
  const { typedData, signature } = given
  const { authorizer, client } = hold.terms
  for (const address of authorizer === nobody ? [client] : [authorizer, client])
    if (await ctx.ports.verifyWallet.typedData({ address, typedData, signature })) return { signer: address, signature }
  throw authorizationInvalid(given.what)
}
