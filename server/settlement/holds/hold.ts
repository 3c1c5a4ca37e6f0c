import { canFollow, type EscrowTerms, type HoldState, holdTransitions } from '@parley/protocol'
import type { AuthorizationWindow } from '../../ports.ts'
import { holdWrongRail, holdWrongState } from '../errors.ts'

type Hex = `0x${string}`

/** The client's signature and its validity. `attempt`: total number of funding attempts allowed so far. */
export type Authorization = {
  readonly validAfter: number
  readonly validBefore: number
  readonly signature: Hex
  readonly attempt: number
}
/** The charter in force: approved by the client, or sealed on chain. */
export type SealedCharter = { readonly version: number; readonly hash: Hex }

/** Terms that apply to every rail. The escrow's terms extend them. `charter`: of a quoted goal; zero in an open bounty. */
export type CardTerms = Pick<
  EscrowTerms,
  | 'client'
  | 'total'
  | 'workBy'
  | 'reviewBy'
  | 'expiry'
  | 'feeBps'
  | 'feeTo'
  | 'evaluator'
  | 'authorizer'
  | 'vetoSeconds'
  | 'onSilence'
  | 'charter'
  | 'briefHash'
>

/** The rail of the hold. It is chosen when the hold is opened and never changes. */
type OnRail =
  | { readonly rail: 'escrow'; readonly planId: Hex; readonly chainId: number; readonly escrow: Hex; readonly terms: EscrowTerms }
  | { readonly rail: 'stripe'; readonly terms: CardTerms }
type Agreed = {
  readonly goalId: string
  readonly asset: string
  readonly createdAt: Date
  /** Version of the row, for optimistic locking. */
  readonly version: number
} & OnRail
type Funded = Agreed & {
  /** Transaction hash, or Stripe's payment intent (`pi_…`). */
  readonly fundedTx: string
  readonly charter: SealedCharter | null
  readonly failure: string | null
  /** Unix seconds: until then the money of returned steps stays, so that payees can dispute. Null if nothing waits. */
  readonly disputeBy: number | null
}
/** `bits`: the steps to pay; `halves`: those of them of which half is paid. Bit `step - 1`. */
type Concluded = Funded & { readonly bits: bigint; readonly halves: bigint; readonly conclusionHash: Hex }

/** Money held for one goal. Each variant holds what exists in that state. States in `-ing` wait for the rail. */
export type Hold =
  | (Agreed & { readonly state: 'authorizing'; readonly authorization: Authorization | null })
  | (Agreed & { readonly state: 'failed'; readonly failure: string })
  | (Funded & { readonly state: 'authorized' })
  | (Concluded & { readonly state: 'capturing' })
  | (Concluded & { readonly state: 'captured' | 'refunding' | 'refunded'; readonly settledTx: string })
  | (Funded & { readonly state: 'voiding'; readonly conclusionHash: Hex })
  | (Funded & { readonly state: 'voided'; readonly conclusionHash: Hex; readonly settledTx: string })
  | (Funded & { readonly state: 'reclaimed'; readonly settledTx: string })
export type FundedHold = Extract<Hold, { readonly fundedTx: string }>
export type EscrowHold = Extract<Hold, { readonly rail: 'escrow' }>
export type CardHold = Extract<Hold, { readonly rail: 'stripe' }>

/** Events of a hold. `authorize`, `capture` and `void` are requests; the others report what the rail did. */
export type HoldEvent =
  | { readonly type: 'authorize'; readonly authorization: Authorization }
  | { readonly type: 'fail'; readonly failure: string }
  | { readonly type: 'fund'; readonly tx: string }
  | { readonly type: 'seal'; readonly charter: SealedCharter }
  | { readonly type: 'refuse'; readonly failure: string | null }
  | { readonly type: 'unseal'; readonly failure: string }
  | {
      readonly type: 'capture'
      readonly bits: bigint
      /** Unset: none. */
      readonly halves?: bigint
      readonly conclusionHash: Hex
      readonly disputeBy: number | null
    }
  | { readonly type: 'void'; readonly conclusionHash: Hex; readonly disputeBy: number | null }
  | { readonly type: 'settlement_failed'; readonly failure: string }
  | { readonly type: 'close'; readonly to: 'captured'; readonly tx: string; readonly bits: bigint; readonly conclusionHash: Hex }
  | { readonly type: 'close'; readonly to: 'voided'; readonly tx: string; readonly conclusionHash: Hex }
  | { readonly type: 'close'; readonly to: 'reclaimed'; readonly tx: string }

/** Whether the rail holds money for it, as far as the server knows. */
export function isFunded(hold: Hold): hold is FundedHold {
  return 'fundedTx' in hold
}

/** Whether a settlement was requested and is not done. */
export function isSettling(hold: Hold): hold is Extract<Hold, { state: 'capturing' | 'voiding' }> {
  return hold.state === 'capturing' || hold.state === 'voiding'
}

/** Narrows to a hold on the escrow rail. @throws hold.wrong_rail */
export function requireEscrowHold(hold: Hold): EscrowHold {
  if (hold.rail !== 'escrow') throw holdWrongRail(hold.rail, 'escrow')
  return hold
}

/** Narrows to a hold on the card rail. @throws hold.wrong_rail */
export function requireCardHold(hold: Hold): CardHold {
  if (hold.rail !== 'stripe') throw holdWrongRail(hold.rail, 'stripe')
  return hold
}

/** @throws hold.wrong_state */
export function advanceHold(hold: Hold, event: HoldEvent): Hold {
  switch (event.type) {
    case 'authorize':
      if (hold.state !== 'authorizing') requireTransition(hold, 'authorizing', 'be authorized')
      return { ...agreed(hold), state: 'authorizing', authorization: event.authorization }
    case 'fail':
      requireTransition(hold, 'failed', 'fail')
      return { ...agreed(hold), state: 'failed', failure: event.failure }
    case 'fund':
      // A client may pay after the hold failed, from its own wallet or on an open checkout page. The rail's report counts.
      if (hold.state !== 'failed') requireTransition(hold, 'authorized', 'be funded')
      return { ...agreed(hold), state: 'authorized', fundedTx: event.tx, charter: null, failure: null, disputeBy: null }
    case 'seal':
      if (hold.state !== 'authorized' && !isSettling(hold)) throw holdWrongState(hold.state, 'be sealed')
      return { ...hold, charter: event.charter, failure: null }
    case 'refuse':
      if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'be refused a charter')
      return { ...hold, failure: event.failure }
    case 'unseal':
      if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'lose its charter')
      return { ...hold, charter: null, failure: event.failure }
    case 'capture':
      if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'be captured')
      return { ...concluded(hold, event), state: 'capturing', bits: event.bits, halves: event.halves ?? 0n }
    case 'void':
      if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'be voided')
      return { ...concluded(hold, event), state: 'voiding' }
    case 'settlement_failed':
      if (!isSettling(hold)) throw holdWrongState(hold.state, 'go back to authorized')
      return { ...funded(hold), state: 'authorized', failure: event.failure }
    case 'close':
      return close(hold, event)
    default:
      return event satisfies never
  }
}

/**
 * Closes the hold as the rail reports. The outcome may differ from the requested one, so the transition may pass through
 * `authorized`.
 */
function close(hold: Hold, event: Extract<HoldEvent, { type: 'close' }>): Hold {
  if (!isFunded(hold)) throw holdWrongState(hold.state, `become ${event.to}`)
  const follows = canFollow(holdTransitions, hold.state, event.to)
  if (!follows && !isSettling(hold)) throw holdWrongState(hold.state, `become ${event.to}`)
  const base = { ...funded(hold), failure: null, settledTx: event.tx }
  switch (event.to) {
    case 'captured':
      return {
        ...base,
        state: 'captured',
        bits: event.bits,
        halves: 'halves' in hold ? hold.halves : 0n,
        conclusionHash: event.conclusionHash,
      }
    case 'voided':
      return { ...base, state: 'voided', conclusionHash: event.conclusionHash }
    case 'reclaimed':
      return { ...base, state: 'reclaimed' }
    default:
      return event satisfies never
  }
}

function requireTransition(hold: Hold, to: HoldState, action: string): void {
  if (!canFollow(holdTransitions, hold.state, to)) throw holdWrongState(hold.state, action)
}

function agreed(hold: Hold): Agreed {
  const { goalId, asset, createdAt, version } = hold
  const base = { goalId, asset, createdAt, version }
  if (hold.rail === 'stripe') return { ...base, rail: hold.rail, terms: hold.terms }
  const { rail, planId, chainId, escrow, terms } = hold
  return { ...base, rail, planId, chainId, escrow, terms }
}

function funded(hold: FundedHold): Funded {
  return { ...agreed(hold), fundedTx: hold.fundedTx, charter: hold.charter, failure: hold.failure, disputeBy: hold.disputeBy }
}

function concluded(hold: FundedHold, { conclusionHash, disputeBy }: Extract<HoldEvent, { type: 'capture' | 'void' }>) {
  return { ...funded(hold), conclusionHash, disputeBy, failure: null }
}

/** Validity of at least an hour. It is the same for all requests within one hour. */
export function authorizationWindow(nowSeconds: number): AuthorizationWindow {
  return { validAfter: 0, validBefore: (Math.floor(nowSeconds / 3_600) + 2) * 3_600 }
}

/** The validities for which a signature received now may have been made. */
export function acceptableWindows(nowSeconds: number): AuthorizationWindow[] {
  return [authorizationWindow(nowSeconds), authorizationWindow(nowSeconds - 3_600)]
}

/** Bit `step - 1` for each step. */
export function stepsToBits(steps: Iterable<number>): bigint {
  let bits = 0n
  for (const step of steps) bits |= 1n << BigInt(step - 1)
  return bits
}

export function hasStep(bits: bigint, step: number): boolean {
  return ((bits >> BigInt(step - 1)) & 1n) === 1n
}

/** Bits of the steps with this status, among 64 two-bit codes of the escrow. Bit `step - 1`. */
export function stepsWithStatus(codes: bigint, wanted: 'pending' | 'disputed'): bigint {
  const code = wanted === 'pending' ? 0n : 3n
  let bits = 0n
  for (let place = 0n; place < 64n; place++) if (((codes >> (place * 2n)) & 3n) === code) bits |= 1n << place
  return bits
}
