/** What the model of PlanEscrow speaks of. Amounts in base units, times in unix seconds, addresses in lower case. */
import type { Address, Hex } from 'viem'

export type Terms = {
  client: Address
  token: Address
  total: bigint
  workBy: number
  reviewBy: number
  expiry: number
  feeBps: number
  feeTo: Address
  evaluator: Address
  arbitrator: Address
  authorizer: Address
  vetoSeconds: number
  /** Bit 0: silence pays. Bit 1: who handed in nothing can be dropped without its word. */
  onSilence: number
  charter: Hex
  briefHash: Hex
  salt: bigint
}
export type Step = { payee: Address; amount: bigint }
export type Royalty = { step: number; to: Address; bps: number }
export type Charter = { steps: Step[]; royalties: Royalty[]; charterHash: Hex }

/** What can be signed; `type` is the EIP-712 name, the rest the struct's fields. */
export type Message = { type: string } & Record<string, string | number | bigint | boolean>
/** A key's word on a message, or none. What the model checks is who signed what, never bytes. */
export type Signature = { by: Address; signedMessage: Message } | null
export type MemberSignature = { signer: Address; signature: Signature }
export type Sealing = {
  terms: Terms
  version: number
  charter: Charter
  proposed: boolean
  signature: Signature
  evaluatorSignature: Signature
  memberSignatures: MemberSignature[]
}
export type SealedSettlement = { sealing: Sealing; bits: bigint; close: boolean; conclusionHash: Hex; signature: Signature }
export type Settlement = {
  terms: Terms
  charter: Charter
  bits: bigint
  close: boolean
  conclusionHash: Hex
  signature: Signature
}
/** The evaluator's one signature for a batch: whom it is said to be of, whose it is, and over what. */
export type BatchWord = { evaluator: Address; by: Address; signedMessage: Message[] } | null
export type Acknowledgement = { bits: bigint; outputsHash: Hex; receivedAt: number; signature: Signature }

/** One call of the escrow, or of a token, by `from`. */
export type Call = { from: Address } & (
  | { fn: 'fund' | 'refund'; terms: Terms }
  | { fn: 'fundMany'; terms: Terms[] }
  | { fn: 'fundWithAuthorization'; terms: Terms; validAfter: bigint; validBefore: bigint; signature: Signature }
  | { fn: 'seal'; sealing: Sealing }
  | { fn: 'reseal'; sealing: Sealing; replaced: Charter }
  | { fn: 'setSigner'; signer: Address; allowed: boolean }
  | { fn: 'setSignerBySignature'; account: Address; signer: Address; allowed: boolean; deadline: bigint; signature: Signature }
  | { fn: 'veto'; terms: Terms; version: number; signature: Signature }
  | { fn: 'requestClose'; terms: Terms; signature: Signature }
  | { fn: 'submit'; terms: Terms; charter: Charter; bits: bigint; outputsHash: Hex; by: Address; signature: Signature }
  | { fn: 'settle' | 'settleHalf' | 'release'; settlement: Settlement }
  | { fn: 'settleMany'; settlements: Settlement[]; word: BatchWord; gasEach: bigint }
  | { fn: 'sealAndSettle'; one: SealedSettlement }
  | { fn: 'sealAndSettleMany'; all: SealedSettlement[]; word: BatchWord; gasEach: bigint }
  | { fn: 'settleOnSilence'; terms: Terms; charter: Charter; bits: bigint; acknowledgement: Acknowledgement }
  | { fn: 'dispute'; terms: Terms; charter: Charter; step: number; evidenceHash: Hex; by: Address; signature: Signature }
  | { fn: 'rule'; terms: Terms; charter: Charter; step: number; payeeBps: number; rulingHash: Hex; signature: Signature }
  | {
      fn: 'acceptOffer'
      terms: Terms
      charter: Charter
      step: number
      payeeBps: number
      deadline: number
      clientSignature: Signature
      payeeSignature: Signature
    }
  | { fn: 'closeExpired'; terms: Terms; charter: Charter }
  | { fn: 'withdrawCredit'; token: Address; to: Address }
  | { fn: 'withdrawCreditTo'; account: Address; token: Address; to: Address; deadline: bigint; signature: Signature }
  | { fn: 'token.setAnswer'; token: Address; account: Address; answer: number }
  | { fn: 'token.setFee'; token: Address; bps: number }
  | { fn: 'token.give'; token: Address; amount: bigint }
  | { fn: 'token.approve'; token: Address; amount: bigint }
)
export type Fn = Call['fn']

/** How a token answers a transfer to an account: WaywardToken.Answer, those that cost no gas to speak of. */
export const answers = { true: 0, revert: 1, false: 2, nothing: 3, garbage: 4 } as const

export type Token = {
  balances: Record<Address, bigint>
  /** Of the escrow, by owner. */
  allowances: Record<Address, bigint>
  answers: Record<Address, number>
  feeBps: number
  /** Whether it knows ERC-2612 and checks ERC-3009 signatures; TestUSDC does. */
  signed: boolean
  permitNonces: Record<Address, bigint>
  authorizations: Record<string, boolean>
}

export const codeOf = { pending: 0, paid: 1, ended: 2, disputed: 3 } as const
export type Plan = {
  status: 1 | 2
  remaining: bigint
  codes: number[]
  version: number
  /** Whose word the charter in force has: none 0, proposed 1, authorized 2. */
  state: 0 | 1 | 2
  closing: boolean
  vetoed: boolean
  noticed: boolean
  charter: Hex
  submitted: bigint
  disputedByPayee: bigint
  payableFrom: number
  closableFrom: number
}

export type State = {
  time: number
  escrow: Address
  tokens: Record<Address, Token>
  /** Contract wallets, and whose key each obeys. */
  wallets: Record<Address, Address>
  plans: Record<Hex, Plan>
  /** By token, then account. */
  credits: Record<Address, Record<Address, bigint>>
  signers: Record<string, boolean>
  nonces: Record<Address, bigint>
}

export type ChainEvent = { name: string } & Record<string, unknown>
export type Outcome = { state: State; events: ChainEvent[]; error: string | null }

/** How a call fails: the name of the contract's error. */
export class Refusal extends Error {}
