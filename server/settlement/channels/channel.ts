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
import type { DepositAndClaimLimits } from './deposit-and-claim-limits.ts'

type Hex = `0x${string}`

/** Seconds between the payer's close request and its withdrawal. A server that was down for less can still claim in time. */
export const withdrawDelaySeconds = 86_400
/** Idle timeout. An open channel without calls, claims or deposits for so long is closed. Seconds. */
export const idleSeconds = 30 * 86_400
/** Delay before a rejected claim or close is retried. Short enough for several retries within a withdraw delay. Seconds. */
export const claimRetrySeconds = 3_600
/** Maximum attempts for one request. Their delays grow to ten minutes. */
export const attemptsPerRequest = 60

/** The payer's signature and its validity in Unix seconds. `attempt`: total number of opening attempts allowed so far. */
export type OpeningAuthorization = {
  readonly validAfter: number
  readonly validBefore: number
  readonly signature: Hex
  readonly attempt: number
}
/** A signed top-up of an open channel. `failure`: why it failed; null while it is pending. */
export type TopUp = OpeningAuthorization & { readonly amount: bigint; readonly salt: Hex; readonly failure: string | null }
type Voucher = { readonly amount: bigint; readonly signature: Hex }

type Agreed = {
  readonly id: Hex
  readonly asset: string
  /** DID of the payer. */
  readonly clientId: string
  readonly agentId: string
  readonly config: ChannelConfig
  readonly deposit: bigint
  readonly createdAt: Date
  /** Cost of all answered calls, with the voucher for exactly that amount. It remains if a reorganization removes the opening. */
  readonly earned: Voucher | null
  /** The voucher of the open call. The server uses it only after the call was answered. */
  readonly pending: Voucher | null
}
type Funded = Agreed & {
  readonly openedTx: string
  /** Amount that the contract has paid to the receiver. */
  readonly claimed: bigint
  /** The publisher has requested a claim up to this amount. */
  readonly claimRequested: bigint
  /** When the payer can withdraw, in Unix seconds. */
  readonly withdrawableAt: number | null
  readonly failure: string | null
  readonly attempts: number
  readonly topUp: TopUp | null
}

/** A unidirectional payment channel: a deposit for calls to one agent. Each variant holds what exists in that state. */
export type Channel =
  | (Agreed & { readonly state: 'opening'; readonly authorization: OpeningAuthorization })
  | (Agreed & { readonly state: 'failed'; readonly failure: string })
  | (Funded & { readonly state: 'open' | 'closing' })
  | (Funded & { readonly state: 'closed'; readonly closedTx: string; readonly refunded: bigint })
export type FundedChannel = Extract<Channel, { readonly openedTx: string }>

/** State changes of a channel. `open`, `top_up`, `close_requested`, `claim` and `close` come from contract events. */
export type ChannelEvent =
  | { readonly type: 'sign'; readonly authorization: OpeningAuthorization }
  | { readonly type: 'fail'; readonly failure: string }
  | { readonly type: 'open'; readonly tx: string; readonly deposit: bigint }
  | { readonly type: 'request_top_up'; readonly topUp: TopUp; readonly limits: DepositAndClaimLimits }
  | { readonly type: 'reject_top_up'; readonly failure: string }
  | { readonly type: 'top_up'; readonly deposit: bigint }
  | { readonly type: 'reserve'; readonly price: bigint; readonly voucher: Voucher }
  /** `limit`: maximum exposure in base units before the next call waits for a claim. */
  | { readonly type: 'capture'; readonly limit: bigint }
  | { readonly type: 'release' }
  | { readonly type: 'request_claim'; readonly limits: DepositAndClaimLimits }
  /** The server claims all earnings, without a minimum. */
  | { readonly type: 'request_full_claim' }
  | { readonly type: 'request_close' }
  /** The server retries a rejected action. */
  | { readonly type: 'retry' }
  | { readonly type: 'close_requested'; readonly withdrawableAt: number }
  | { readonly type: 'claim'; readonly total: bigint }
  | { readonly type: 'refuse'; readonly failure: string }
  | { readonly type: 'close'; readonly tx: string; readonly total: bigint; readonly refunded: bigint }

export function isFundedChannel(channel: Channel): channel is FundedChannel {
  return 'openedTx' in channel
}

export function earnedAmount(channel: Channel): bigint {
  return channel.earned?.amount ?? 0n
}

/** Earned but not yet claimed, in base units. */
export function unclaimedAmount(channel: FundedChannel): bigint {
  const rest = earnedAmount(channel) - channel.claimed
  return rest > 0n && channel.state !== 'closed' ? rest : 0n
}

/** The amount that the publisher would lose if no further claim succeeded: unclaimed earnings and the open call. Base units. */
export function exposureOf(channel: Channel): bigint {
  if (!isFundedChannel(channel) || channel.state === 'closed') return 0n
  const promised = channel.pending?.amount ?? earnedAmount(channel)
  return promised > channel.claimed ? promised - channel.claimed : 0n
}

/**
 * Whether a call with this price fits below the limit. With zero exposure one call always fits, because no claim could make more
 * room.
 */
export function isExposureWithinLimit(exposure: bigint, price: bigint, limit: bigint): boolean {
  return exposure === 0n || exposure + price <= limit
}

/**
 * The amount that the next voucher must have. After a rejected claim no call is accepted until a claim succeeds.
 * @throws channel.wrong_state, channel.claim_refused, call.already_open, voucher.invalid
 */
export function nextVoucherAmount(channel: Channel, price: bigint): bigint {
  const open = requireState(channel, 'open', 'take a call')
  if (open.failure !== null) throw channelClaimRefused(channel.id)
  if (open.pending !== null) throw callInProgress(channel.id)
  const amount = earnedAmount(open) + price
  if (amount > open.deposit) throw voucherAboveDeposit(amount, open.deposit)
  return amount
}

/** The next on-chain action, or null. An open call delays the close, because its agent may be working. */
export function nextChainAction(
  channel: Channel,
  { autoClaimThreshold }: DepositAndClaimLimits,
): 'open' | 'top_up' | 'claim' | 'close' | null {
  if (channel.state === 'opening') return 'open'
  if (channel.state === 'open' && channel.topUp !== null && channel.topUp.failure === null) return 'top_up'
  if (!isFundedChannel(channel) || channel.failure !== null || channel.state === 'closed') return null
  if (channel.state === 'closing') return channel.pending === null ? 'close' : null
  return unclaimedAmount(channel) >= autoClaimThreshold || channel.claimRequested > channel.claimed ? 'claim' : null
}

/** The timeout event that is due: retry a rejected action, or close an idle channel. Null: none. `changedAt`, `now`: Unix seconds. */
export function timeoutEvent(channel: Channel, { changedAt, now }: { changedAt: number; now: number }): ChannelEvent | null {
  if (channel.state !== 'open' && channel.state !== 'closing') return null
  if (channel.failure !== null) return now - changedAt >= claimRetrySeconds ? { type: 'retry' } : null
  const isSettlementIdle = channel.state === 'open' && channel.pending === null && now - changedAt >= idleSeconds
  return isSettlementIdle ? { type: 'request_close' } : null
}

/** The contract function to call. `voucher`: its signature is empty if there is nothing new to claim. */
export type ChannelCall = { readonly call: 'close' | 'claim'; readonly voucher: Voucher } | { readonly call: 'withdraw' }

type LiveChannel = Extract<Channel, { state: 'open' | 'closing' }>

/**
 * Decides how to claim or close. Null while the withdraw delay runs and nothing is left to claim. `closeRequestedAt`, `now`: Unix
 * seconds on chain; 0 without a close request.
 */
export function nextChannelCall(
  channel: LiveChannel,
  { closeRequestedAt, now }: { closeRequestedAt: number; now: number },
): ChannelCall | null {
  const { earned, claimed, config } = channel
  // The contract checks no signature if the amount is already claimed.
  const voucher = earned !== null && unclaimedAmount(channel) > 0n ? earned : { amount: claimed, signature: '0x' as const }
  if (channel.state === 'closing' && closeRequestedAt === 0) return { call: 'close', voucher }
  if (channel.state === 'closing' && unclaimedAmount(channel) === 0n)
    return now < closeRequestedAt + config.withdrawDelay ? null : { call: 'withdraw' }
  return { call: 'claim', voucher }
}

/** The only state transition function of a channel. @throws channel.wrong_state, voucher.invalid, voucher.nothing_earned */
export function advanceChannel(channel: Channel, event: ChannelEvent): Channel {
  switch (event.type) {
    case 'sign':
      if (channel.state !== 'opening') requireTransition(channel, 'opening', 'be signed')
      return { ...agreed(channel), state: 'opening', authorization: event.authorization }
    case 'fail':
      requireTransition(channel, 'failed', 'fail')
      return { ...agreed(channel), state: 'failed', failure: event.failure }
    case 'open':
      return opened(channel, event)
    case 'request_top_up':
      return withRequestedTopUp(channel, event)
    case 'reject_top_up': {
      const open = requireLive(channel, 'be topped up')
      return { ...open, topUp: open.topUp && { ...open.topUp, failure: event.failure } }
    }
    case 'top_up':
      return toppedUp(channel, event)
    case 'reserve': {
      const amount = nextVoucherAmount(channel, event.price)
      if (event.voucher.amount !== amount) throw voucherWrongAmount(event.voucher.amount, amount)
      return { ...requireLive(channel, 'take a call'), pending: event.voucher }
    }
    case 'capture':
      return captured(channel, event)
    case 'release':
      return { ...channel, pending: null }
    case 'request_claim': {
      const current = requireLive(channel, 'be claimed from')
      if (unclaimedAmount(current) < event.limits.minClaim) throw belowMinClaim(unclaimedAmount(current), event.limits.minClaim)
      return { ...withFreshAttempts(current), claimRequested: earnedAmount(current) }
    }
    case 'request_full_claim': {
      const earning = requireLive(channel, 'be claimed from')
      return { ...earning, claimRequested: max(earnedAmount(earning), earning.claimRequested) }
    }
    case 'request_close':
      return { ...withFreshAttempts(requireLive(channel, 'close')), state: 'closing', topUp: null }
    case 'retry':
      return withFreshAttempts(requireLive(channel, 'be asked for again'))
    case 'close_requested': {
      const live = requireLive(channel, 'be given notice')
      return { ...live, state: 'closing', withdrawableAt: event.withdrawableAt, failure: null, topUp: null }
    }
    case 'claim': {
      const before = requireFunded(channel, 'be claimed from')
      return { ...before, claimed: max(event.total, before.claimed), failure: null }
    }
    case 'refuse':
      return { ...requireLive(channel, 'be refused'), failure: event.failure }
    case 'close':
      return closed(channel, event)
    default:
      return event satisfies never
  }
}

type EventOf<Type extends ChannelEvent['type']> = Extract<ChannelEvent, { readonly type: Type }>

function opened(channel: Channel, event: EventOf<'open'>): Channel {
  requireTransition(channel, 'open', 'open')
  const fresh = { claimed: 0n, claimRequested: 0n, withdrawableAt: null, failure: null, topUp: null }
  const base = { ...agreed(channel), deposit: event.deposit, openedTx: event.tx }
  return { ...base, ...fresh, attempts: attemptsPerRequest, state: 'open' }
}

function withRequestedTopUp(channel: Channel, event: EventOf<'request_top_up'>): Channel {
  const open = requireState(channel, 'open', 'be topped up')
  if (open.topUp?.failure === null) throw channelWrongState('being topped up', 'be topped up')
  const deposit = open.deposit + event.topUp.amount
  const { minDeposit, maxDeposit } = event.limits
  if (event.topUp.amount < minDeposit || deposit > maxDeposit) throw depositInvalid(event.topUp.amount, minDeposit, maxDeposit)
  return { ...open, topUp: event.topUp }
}

/** The top-up came from our transaction or from the payer directly. The latter does not complete ours. */
function toppedUp(channel: Channel, event: EventOf<'top_up'>): Channel {
  const before = requireLive(channel, 'be topped up')
  const isOurs = before.topUp !== null && event.deposit - before.deposit >= before.topUp.amount
  return { ...before, deposit: event.deposit, topUp: isOurs ? null : before.topUp }
}

/** The payer may have withdrawn in the meantime. Then the call was answered, but its voucher is worthless. */
function captured(channel: Channel, event: EventOf<'capture'>): Channel {
  if (channel.pending === null) throw channelWrongState('without an open call', 'be earned in')
  const price = channel.pending.amount - earnedAmount(channel)
  const next = { ...channel, earned: channel.pending, pending: null }
  if (!isFundedChannel(next)) return next
  // If the next call with this price would exceed the limit, request a claim now.
  return isExposureWithinLimit(unclaimedAmount(next), price, event.limit) ? next : { ...next, claimRequested: earnedAmount(next) }
}

function closed(channel: Channel, event: EventOf<'close'>): Channel {
  if (channel.state === 'closed') return channel
  const before = requireLive(channel, 'be closed')
  const claimed = max(event.total, before.claimed)
  return { ...before, state: 'closed', claimed, closedTx: event.tx, refunded: event.refunded, failure: null, topUp: null }
}

function max(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/** A new request after a failure starts with a full number of attempts. */
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
