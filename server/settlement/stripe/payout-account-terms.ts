import { payoutAccountTypedData } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { accountNotPerson, accountNotSigned } from '../errors.ts'

type Hex = `0x${string}`
type Owner = { readonly did: string; readonly address: Hex }
/** `typedData`: EIP-712 typed data for `eth_signTypedData_v4`. `deadline`: Unix seconds. */
export type PayoutAccountTerms = { readonly typedData: Eip712TypedData; readonly deadline: number }

/** Maximum validity of a signature. Seconds. */
const maxValiditySeconds = 3_600

/** What the person's wallet signs before Stripe's onboarding page opens. @throws permission.denied */
export function getPayoutAccountTerms(ctx: Context): PayoutAccountTerms {
  const deadline = seconds(ctx.clock.now()) + maxValiditySeconds
  return { typedData: termsOf(ctx, requirePerson(ctx), deadline), deadline }
}

/** @throws permission.denied */
export function requirePerson({ actor }: Context): Owner {
  if (actor.kind !== 'person') throw accountNotPerson(actor.kind)
  return { did: actor.did, address: actor.address.toLowerCase() as Hex }
}

/** The wallet has signed these terms, and their deadline is at most an hour ahead. @throws payout.signature_invalid */
export async function requireAccountSignature(ctx: Context, owner: Owner, given: { deadline: number; signature: string }): Promise<void> {
  const { deadline } = given
  const now = seconds(ctx.clock.now())
  if (deadline <= now || deadline > now + maxValiditySeconds) throw accountNotSigned(owner.address)
  const typedData = termsOf(ctx, owner, deadline)
  const isSigned = await ctx.ports.verifyWallet.typedData({ address: owner.address, typedData, signature: given.signature as Hex })
  if (!isSigned) throw accountNotSigned(owner.address)
}

const termsOf = ({ market }: Context, { address }: Owner, deadline: number): Eip712TypedData =>
  payoutAccountTypedData({ chainId: market.chainId, wallet: address, deadline })
