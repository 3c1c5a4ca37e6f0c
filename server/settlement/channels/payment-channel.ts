import { type ChannelConfig, type ChannelState, canFollow, channelTransitions } from '@parley/protocol'
import {
  belowMinClaim,
  callInProgress,
  channelClaimRefused,
  channelWrongState,
  depositInvalid,
  voucherAboveDeposit,
  voucherWrongAmount,
} from '../errors.ts'
import type { ChannelLimits } from './limits.ts'

type Hex = `0x${string}`

/** Seconds between the payer's notice and its withdrawal: so long a server that was away still claims in time. */
export const withdrawDelaySeconds = 86_400
/** After so long without a call, a claim or a deposit an open channel is closed: its payer may never come back. Seconds. */
export const idleSeconds = 30 * 86_400
/** So long after a refusal the claim or the closing is asked for again: often enough within a notice. Seconds. */
export const claimRetrySeconds = 3_600
/** How many transactions are tried for one effect before somebody has to ask again. Their pauses grow to ten minutes. */
export const attemptsPerRequest = 60

/** The payer's signature with its validity, in Unix seconds. `attempt`: how many openings may have been tried under it, in all. */
export type OpeningAuthorization = {
  readonly validAfter: number
  readonly validBefore: number
  readonly signature: Hex
  readonly attempt: number
}
/** More money for an open channel, as the payer signed it. `failure`: why it did not come; null while it is to. */
export type TopUp = OpeningAuthorization & { readonly amount: bigint; readonly salt: Hex; readonly failure: string | null }
type Voucher = { readonly amount: bigint; readonly signature: Hex }

type Agreed = {
  readonly id: Hex
  readonly asset: string
  /** The person who pays, by DID. */
  readonly clientId: string
  readonly agentId: string
  readonly config: ChannelConfig
  readonly deposit: bigint
  readonly createdAt: Date
  /** What answered calls have cost, with the voucher for exactly that. It stays where the chain removes the opening. */
  readonly earned: Voucher | null
  /** The voucher of the call that is open. It leaves the server only if that is answered. */
  readonly pending: Voucher | null
}
type Funded = Agreed & {
  readonly openedTx: string
  /** What the contract has sent to the receiver. */
  readonly claimed: bigint
  /** Up to here the publisher wants it sent now. */
  readonly claimAsked: bigint
  /** From when on the payer can withdraw, in Unix seconds. */
  readonly withdrawableAt: number | null
  readonly failure: string | null
  readonly attempts: number
  readonly topUp: TopUp | null
}

/** Money set aside for calls to one agent; each arm holds what exists in that state. */
export type Channel =
  | (Agreed & { readonly state: 'opening'; readonly authorization: OpeningAuthorization })
  | (Agreed & { readonly state: 'failed'; readonly failure: string })
  | (Funded & { readonly state: 'open' | 'closing' })
  | (Funded & { readonly state: 'closed'; readonly closedTx: string; readonly refunded: bigint })
export type FundedChannel = Extract<Channel, { readonly openedTx: string }>

/** What can happen to a channel. `open`, `top_up`, `notice`, `claim` and `close` are what the contract's log has shown. */
export type ChannelEvent =
  | { readonly type: 'sign'; readonly authorization: OpeningAuthorization }
  | { readonly type: 'fail'; readonly failure: string }
  | { readonly type: 'open'; readonly tx: string; readonly deposit: bigint }
  | { readonly type: 'ask_top_up'; readonly topUp: TopUp; readonly limits: ChannelLimits }
  | { readonly type: 'refuse_top_up'; readonly failure: string }
  | { readonly type: 'top_up'; readonly deposit: bigint }
  | { readonly type: 'reserve'; readonly price: bigint; readonly voucher: Voucher }
  /** `limit`: how much may be earned and unclaimed before the next call waits for a claim, base units. */
  | { readonly type: 'earn'; readonly limit: bigint }
  | { readonly type: 'drop' }
  | { readonly type: 'ask_claim'; readonly limits: ChannelLimits }
  /** The server claims all that is earned, however little. */
  | { readonly type: 'collect' }
  | { readonly type: 'ask_close' }
  /** The server tries once more what the chain has refused. */
  | { readonly type: 'ask_again' }
  | { readonly type: 'notice'; readonly withdrawableAt: number }
  | { readonly type: 'claim'; readonly total: bigint }
  | { readonly type: 'refuse'; readonly failure: string }
  | { readonly type: 'close'; readonly tx: string; readonly total: bigint; readonly refunded: bigint }

export function isFundedChannel(channel: Channel): channel is FundedChannel {
  return 'openedTx' in channel
}

export function earnedAmount(channel: Channel): bigint {
  return channel.earned?.amount ?? 0n
}

/** What is earned and was not sent, base units. */
export function unclaimedAmount(channel: FundedChannel): bigint {
  const rest = earnedAmount(channel) - channel.claimed
  return rest > 0n && channel.state !== 'closed' ? rest : 0n
}

/** What the publisher would lose if nothing more could be claimed: what is earned and unclaimed, and the open call. Base units. */
export function exposureOf(channel: Channel): bigint {
  if (!isFundedChannel(channel) || channel.state === 'closed') return 0n
  const promised = channel.pending?.amount ?? earnedAmount(channel)
  return promised > channel.claimed ? promised - channel.claimed : 0n
}

/** Whether a call at this price fits. Where nothing is unclaimed one call always fits: no claim could make more room. */
export function hasExposureRoom(exposure: bigint, price: bigint, limit: bigint): boolean {
  return exposure === 0n || exposure + price <= limit
}

/**
 * What the voucher of a call at this price has to be for. A claim that was refused stops all calls until one succeeds.
 * @throws channel.wrong_state, channel.claim_refused, call.one_at_a_time, voucher.invalid
 */
export function nextVoucherAmount(channel: Channel, price: bigint): bigint {
  const open = requireState(channel, 'open', 'take a call')
  if (open.failure !== null) throw channelClaimRefused(channel.id)
  if (open.pending !== null) throw callInProgress(channel.id)
  const amount = earnedAmount(open) + price
  if (amount > open.deposit) throw voucherAboveDeposit(amount, open.deposit)
  return amount
}

/** What the server has to do about it on chain. A call that is open keeps its channel open: its agent may be at work. */
export function nextChainAction(
  channel: Channel,
  { autoClaimThreshold: claimFrom }: ChannelLimits,
): 'open' | 'top_up' | 'claim' | 'close' | null {
  if (channel.state === 'opening') return 'open'
  if (channel.state === 'open' && channel.topUp !== null && channel.topUp.failure === null) return 'top_up'
  if (!isFundedChannel(channel) || channel.failure !== null || channel.state === 'closed') return null
  if (channel.state === 'closing') return channel.pending === null ? 'close' : null
  return unclaimedAmount(channel) >= claimFrom || channel.claimAsked > channel.claimed ? 'claim' : null
}

/**
 * What time has made of a channel that nobody does anything about: what was refused is asked for again, and one that nobody uses is
 * closed. Null: nothing yet. `changedAt`, `now`: Unix seconds.
 */
export function timeoutEvent(channel: Channel, { changedAt, now }: { changedAt: number; now: number }): ChannelEvent | null {
  if (channel.state !== 'open' && channel.state !== 'closing') return null
  if (channel.failure !== null) return now - changedAt >= claimRetrySeconds ? { type: 'ask_again' } : null
  const isIdle = channel.state === 'open' && channel.pending === null && now - changedAt >= idleSeconds
  return isIdle ? { type: 'ask_close' } : null
}

/** What the contract is to be called for. `voucher`: with an empty signature where nothing new is claimed. */
export type ChannelCall = { readonly call: 'close' | 'claim'; readonly voucher: Voucher } | { readonly call: 'withdraw' }

type LiveChannel = Extract<Channel, { state: 'open' | 'closing' }>

/**
 * How what is earned is claimed, or the channel closed. Null while the notice runs and nothing is left to claim. `closeRequestedAt`,
 * `now`: Unix seconds on chain, 0 without a notice.
 */
export function nextChannelCall(
  channel: LiveChannel,
  { closeRequestedAt, now }: { closeRequestedAt: number; now: number },
): ChannelCall | null {
  const { earned, claimed, config } = channel
  // Without anything new no signature is read.
  const voucher = earned !== null && unclaimedAmount(channel) > 0n ? earned : { amount: claimed, signature: '0x' as const }
  if (channel.state === 'closing' && closeRequestedAt === 0) return { call: 'close', voucher }
  if (channel.state === 'closing' && unclaimedAmount(channel) === 0n)
    return now < closeRequestedAt + config.withdrawDelay ? null : { call: 'withdraw' }
  return { call: 'claim', voucher }
}

/** The only way to a channel's next state. @throws channel.wrong_state, voucher.invalid, voucher.nothing_earned */
export function advanceChannel(channel: Channel, event: ChannelEvent): Channel {
  switch (event.type) {
    case 'sign':
      if (channel.state !== 'opening') requireTransition(channel, 'opening', 'be signed')
      return { ...agreed(channel), state: 'opening', authorization: event.authorization }
    case 'fail':
      requireTransition(channel, 'failed', 'fail')
      return { ...agreed(channel), state: 'failed', failure: event.failure }
    case 'open': {
      requireTransition(channel, 'open', 'open')
      const fresh = { claimed: 0n, claimAsked: 0n, withdrawableAt: null, failure: null, topUp: null }
      const base = { ...agreed(channel), deposit: event.deposit, openedTx: event.tx }
      return { ...base, ...fresh, attempts: attemptsPerRequest, state: 'open' }
    }
    case 'ask_top_up': {
      const open = requireState(channel, 'open', 'be topped up')
      if (open.topUp?.failure === null) throw channelWrongState('being topped up', 'be topped up')
      const deposit = open.deposit + event.topUp.amount
      const { minDeposit, maxDeposit } = event.limits
      if (event.topUp.amount < minDeposit || deposit > maxDeposit) throw depositInvalid(event.topUp.amount, minDeposit, maxDeposit)
      return { ...open, topUp: event.topUp }
    }
    case 'refuse_top_up': {
      const open = requireLive(channel, 'be topped up')
      return { ...open, topUp: open.topUp && { ...open.topUp, failure: event.failure } }
    }
    // By our own transaction, or by the payer's at the contract, which makes ours wait for nothing.
    case 'top_up': {
      const before = requireLive(channel, 'be topped up')
      const isOurs = before.topUp !== null && event.deposit - before.deposit >= before.topUp.amount
      return { ...before, deposit: event.deposit, topUp: isOurs ? null : before.topUp }
    }
    case 'reserve': {
      const amount = nextVoucherAmount(channel, event.price)
      if (event.voucher.amount !== amount) throw voucherWrongAmount(event.voucher.amount, amount)
      return { ...requireLive(channel, 'take a call'), pending: event.voucher }
    }
    // Closed meanwhile by the payer's own withdrawal: the answer came, and its voucher is worth nothing any more.
    case 'earn': {
      const answered = channel
      if (answered.pending === null) throw channelWrongState('without an open call', 'be earned in')
      const price = answered.pending.amount - earnedAmount(answered)
      const next = { ...answered, earned: answered.pending, pending: null }
      // The next call at this price would have to wait: what is earned is claimed before it comes.
      if (!isFundedChannel(next)) return next
      return hasExposureRoom(unclaimedAmount(next), price, event.limit) ? next : { ...next, claimAsked: earnedAmount(next) }
    }
    case 'drop':
      return { ...channel, pending: null }
    case 'ask_claim': {
      const asked = requireLive(channel, 'be claimed from')
      if (unclaimedAmount(asked) < event.limits.minClaim) throw belowMinClaim(unclaimedAmount(asked), event.limits.minClaim)
      return { ...withFreshAttempts(asked), claimAsked: earnedAmount(asked) }
    }
    case 'collect': {
      const earning = requireLive(channel, 'be claimed from')
      return { ...earning, claimAsked: max(earnedAmount(earning), earning.claimAsked) }
    }
    case 'ask_close':
      return { ...withFreshAttempts(requireLive(channel, 'close')), state: 'closing', topUp: null }
    case 'ask_again':
      return withFreshAttempts(requireLive(channel, 'be asked for again'))
    case 'notice':
      return {
        ...requireLive(channel, 'be given notice'),
        state: 'closing',
        withdrawableAt: event.withdrawableAt,
        failure: null,
        topUp: null,
      }
    case 'claim': {
      const before = requireFunded(channel, 'be claimed from')
      return { ...before, claimed: max(event.total, before.claimed), failure: null }
    }
    case 'refuse':
      return { ...requireLive(channel, 'be refused'), failure: event.failure }
    case 'close': {
      if (channel.state === 'closed') return channel
      const before = requireLive(channel, 'be closed')
      const claimed = max(event.total, before.claimed)
      return { ...before, state: 'closed', claimed, closedTx: event.tx, refunded: event.refunded, failure: null, topUp: null }
    }
    default:
      return event satisfies never
  }
}

function max(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/** Somebody has asked once more for what was given up: as many attempts are made as at first. */
function withFreshAttempts<C extends FundedChannel>(channel: C): C {
  if (channel.failure === null) return channel
  return { ...channel, failure: null, attempts: channel.attempts + attemptsPerRequest }
}

function requireTransition(channel: Channel, to: ChannelState, action: string): void {
  if (!canFollow(channelTransitions, channel.state, to)) throw channelWrongState(channel.state, action)
}

function requireFunded(channel: Channel, action: string): FundedChannel {
  if (!isFundedChannel(channel)) throw channelWrongState(channel.state, action)
  return channel
}

function requireLive(channel: Channel, action: string): LiveChannel {
  if (channel.state !== 'open' && channel.state !== 'closing') throw channelWrongState(channel.state, action)
  return channel
}

function requireState(channel: Channel, state: 'open', action: string): LiveChannel {
  if (channel.state !== state) throw channelWrongState(channel.state, action)
  return requireLive(channel, action)
}

function agreed({ id, asset, clientId, agentId, config, deposit, createdAt, earned, pending }: Channel): Agreed {
  return { id, asset, clientId, agentId, config, deposit, createdAt, earned, pending }
}
