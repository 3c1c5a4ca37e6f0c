import type { ChannelConfig, EscrowCharter, EscrowTerms } from '@parley/protocol'

/** A member's signature under a charter: its payee's own, or that of a signer which the payee allowed on chain. */
export type EscrowMemberSignature = { readonly signer: `0x${string}`; readonly signature: `0x${string}` }

/** A step by its place in the charter in force, from 0. */
type OneStep = { readonly terms: EscrowTerms; readonly charter: EscrowCharter; readonly step: number }

/** What a channel's receiver may take over its whole life, as the payer's side signed it; `0x` where nothing is new. */
type HighestVoucher = { readonly config: ChannelConfig; readonly amount: bigint; readonly signature: `0x${string}` }

export type SettleCall = {
  readonly kind: 'settle'
  readonly terms: EscrowTerms
  readonly version: number
  /** Empty for a plan that has none. */
  readonly charter: EscrowCharter
  readonly bits: bigint
  /** Whether half of each step is paid, because the terms split it. */
  readonly isHalf?: true
  readonly close: boolean
  readonly conclusionHash: `0x${string}`
  /** All that was requested, where the terms split some of it. */
  readonly wanted?: { readonly bits: bigint; readonly halves: bigint }
  /** The client's approval, where the charter is sealed in the same call. */
  readonly authorization?: EscrowMemberSignature
}

export type EscrowCall =
  | {
      readonly kind: 'fund'
      readonly terms: EscrowTerms
      readonly validAfter: number
      readonly validBefore: number
      readonly signature: `0x${string}`
    }
  | {
      readonly kind: 'seal'
      readonly terms: EscrowTerms
      readonly version: number
      readonly charter: EscrowCharter
      /** Every payee's in order of first appearance; empty where one has no key: the evaluator's signature replaces it. */
      readonly memberSignatures: readonly EscrowMemberSignature[]
      /** The client's approval; null where the evaluator proposes it. */
      readonly authorization: EscrowMemberSignature | null
      /** The charter in force, where its members have to agree to the new one. */
      readonly replaced?: EscrowCharter
    }
  | SettleCall
  | {
      readonly kind: 'settleMany'
      /** All of one kind: of charters on chain, or of charters that come with their settlement. */
      readonly settlements: readonly SettleCall[]
    }
  | {
      readonly kind: 'veto'
      readonly terms: EscrowTerms
      readonly version: number
      /** The client's, or its session key's. */
      readonly signature: `0x${string}`
    }
  | {
      /** Submits a step with its payee's signature. */
      readonly kind: 'submit'
      readonly terms: EscrowTerms
      readonly charter: EscrowCharter
      readonly bits: bigint
      readonly outputsHash: `0x${string}`
      readonly signer: `0x${string}`
      readonly signature: `0x${string}`
    }
  | {
      /** Pays submitted steps that were neither settled nor disputed. */
      readonly kind: 'settleOnSilence'
      readonly terms: EscrowTerms
      readonly charter: EscrowCharter
      readonly bits: bigint
    }
  | { readonly kind: 'refund'; readonly terms: EscrowTerms }
  | { readonly kind: 'closeExpired'; readonly terms: EscrowTerms; readonly charter: EscrowCharter }
  | (OneStep & {
      readonly kind: 'dispute'
      readonly evidenceHash: `0x${string}`
      readonly by: `0x${string}`
      readonly signature: `0x${string}`
    })
  | (OneStep & { readonly kind: 'rule'; readonly version: number; readonly payeeBps: number; readonly rulingHash: `0x${string}` })
  | (OneStep & {
      readonly kind: 'acceptOffer'
      readonly payeeBps: number
      readonly deadline: number
      readonly clientSignature: `0x${string}`
      readonly payeeSignature: `0x${string}`
    })
  | {
      readonly kind: 'withdrawCredit'
      readonly account: `0x${string}`
      readonly to: `0x${string}`
      readonly deadline: number
      readonly signature: `0x${string}`
    }
  | {
      readonly kind: 'openChannel'
      readonly config: ChannelConfig
      readonly deposit: bigint
      readonly validAfter: number
      readonly validBefore: number
      readonly signature: `0x${string}`
    }
  | {
      readonly kind: 'topUpChannel'
      readonly config: ChannelConfig
      readonly amount: bigint
      readonly salt: `0x${string}`
      readonly validAfter: number
      readonly validBefore: number
      readonly signature: `0x${string}`
    }
  | (HighestVoucher & { readonly kind: 'claimVoucher' | 'closeChannel' })
  | { readonly kind: 'withdrawChannel'; readonly config: ChannelConfig }
  | { readonly kind: 'mint'; readonly to: `0x${string}`; readonly amount: bigint }
  | { readonly kind: 'sendEther'; readonly to: `0x${string}`; readonly wei: bigint }
