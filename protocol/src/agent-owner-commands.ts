/** Changes that an owner signs with its wallet: payout addresses, and the keys and tokens of its agents. @see SPEC.md#identity */
import { z } from 'zod'
import { AgentId } from './id.ts'
import { ListingDraft, type Royalty } from './listing.ts'

/** The delay of a payout change, hours from the signature. The owner can cancel it until then. */
export const payoutDelayHours = 24

/** A signature of a key, or a signature that a contract wallet accepts (ERC-1271). */
const signature = z.string().regex(/^0x([0-9a-f]{2}){64,4096}$/i)
const deadline = z
  .int()
  .positive()
  .max(2 ** 40 - 1)
  .describe('Unix seconds, as signed, and at most one hour ahead.')

/** After `payoutDelayHours` the listing's payments go to these addresses. Another change replaces a waiting one. */
export const ChangePayout = z.looseObject({
  type: z.literal('payout.change'),
  agent_id: AgentId,
  payout: ListingDraft.shape.payout,
  royalties: ListingDraft.shape.royalties,
  deadline,
  signature,
})
/** The owner keeps the present payout address: a requested change does not take effect. */
export const CancelPayoutChange = z.looseObject({ type: z.literal('payout_change.cancel'), agent_id: AgentId })
/** Creates a new connect token; the old one ends. With `unbind`, the agent's key is removed, too, so that a new key can be bound. */
export const RotateListingKey = z.looseObject({
  type: z.literal('listing_key.rotate'),
  agent_id: AgentId,
  unbind: z.boolean().default(false),
  deadline: deadline.optional(),
  signature: signature.optional(),
})

/**
 * Opens the person's payout account with Stripe, or continues its onboarding. Each deadline must be later than the last used
 * one, so a signature is valid once.
 */
export const OpenPayoutAccount = z.looseObject({ type: z.literal('payout_account.open'), deadline, signature })

/** The commands of a listing's owner, as members of `Command`. */
export const agentOwnerCommands = [RotateListingKey, ChangePayout, CancelPayoutChange, OpenPayoutAccount] as const

type Hex = `0x${string}`
/** `nonce`: the number of used signatures of this kind for the listing. `deadline`: Unix seconds. */
type Signed = {
  readonly chainId: number
  readonly agentId: string
  readonly handle: string
  readonly nonce: number
  readonly deadline: number
}
type Paid = { readonly payout: string; readonly royalties?: readonly Pick<Royalty, 'agent_id' | 'bps'>[] | undefined }

/** The EIP-712 domain of signatures over a listing. No contract verifies them, so it has no address. */
export const ownerDomain = (chainId: number) => ({ name: 'Parley listing', version: '1', chainId }) as const
/** The EIP-712 domain of signatures over a payout account. No contract verifies them. */
export const payoutAccountDomain = (chainId: number) => ({ name: 'Parley payout account', version: '1', chainId }) as const

/** Signed by the owner: one day later, the agent is paid to this address. */
export const payoutChangeTypes = {
  PayoutChange: [
    { name: 'listing', type: 'string' },
    { name: 'oldPayout', type: 'address' },
    { name: 'newPayout', type: 'address' },
    { name: 'oldRoyalties', type: 'string' },
    { name: 'newRoyalties', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Signed by the owner: the old token ends, and with `forgetKey` the key, too. */
export const keyChangeTypes = {
  KeyChange: [
    { name: 'listing', type: 'string' },
    { name: 'agent', type: 'string' },
    { name: 'forgetKey', type: 'bool' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Signed by the owner: the person who completes the onboarding page receives the wallet's card earnings. */
export const payoutAccountTypes = {
  PayoutAccount: [
    { name: 'wallet', type: 'address' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** `wallet`: of the person whose card earnings the account receives. `deadline`: Unix seconds. */
export function payoutAccountTypedData(signed: { readonly chainId: number; readonly wallet: Hex; readonly deadline: number }) {
  return {
    domain: payoutAccountDomain(signed.chainId),
    types: payoutAccountTypes,
    primaryType: 'PayoutAccount',
    message: { wallet: signed.wallet, deadline: BigInt(signed.deadline) },
  } as const
}

/** The EIP-712 data with which an owner changes the payout address or royalties of its listing. */
export function payoutChangeTypedData(signed: Signed, from: Paid, to: Paid) {
  return {
    domain: ownerDomain(signed.chainId),
    types: payoutChangeTypes,
    primaryType: 'PayoutChange',
    message: {
      listing: nameOf(signed),
      oldPayout: from.payout as Hex,
      newPayout: to.payout as Hex,
      oldRoyalties: royaltiesInWords(from),
      newRoyalties: royaltiesInWords(to),
      nonce: BigInt(signed.nonce),
      deadline: BigInt(signed.deadline),
    },
  } as const
}

/** The EIP-712 data with which an owner replaces its agent's connect token. `unbind`: the agent's key is removed, too. */
export function keyChangeTypedData(signed: Signed, key: { readonly did: string; readonly unbind: boolean }) {
  return {
    domain: ownerDomain(signed.chainId),
    types: keyChangeTypes,
    primaryType: 'KeyChange',
    message: {
      listing: nameOf(signed),
      agent: key.did,
      forgetKey: key.unbind,
      nonce: BigInt(signed.nonce),
      deadline: BigInt(signed.deadline),
    },
  } as const
}

const nameOf = ({ handle, agentId }: Signed): string => `@${handle} (${agentId})`

function royaltiesInWords({ royalties = [] }: Paid): string {
  return royalties.length === 0 ? 'none' : royalties.map(({ agent_id, bps }) => `${agent_id} ${bps / 100} %`).join(', ')
}

export type ChangePayout = z.infer<typeof ChangePayout>
export type CancelPayoutChange = z.infer<typeof CancelPayoutChange>
export type RotateListingKey = z.infer<typeof RotateListingKey>
export type OpenPayoutAccount = z.infer<typeof OpenPayoutAccount>
