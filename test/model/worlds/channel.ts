/**
 * One channel with its calls. The payer asks, and may give notice, top up or withdraw at the contract. The receiver answers, and may claim
 * or close alone. The server claims, closes and waits by the product's own decision functions. A claim of the server's may fail.
 */

import type { Channel } from '../../../server/settlement/channels/channel.ts'
import { depositAndClaimLimits } from '../../../server/settlement/channels/deposit-and-claim-limits.ts'
import type { Move, World } from '../explore.ts'
import type { Rules } from '../rules.ts'
import { at, attempt } from './goal.ts'
import { type ChannelLog, type Channels, type ChannelsCall, openChannels } from './voucher-channels.ts'

export type ChannelWorldState = {
  readonly chain: Channels
  readonly kept: Channel
  /** When the row was written last; when the open call was asked. Unix seconds. */
  readonly changedAt: number
  readonly requestedAt: number
  /** When a party did something last. */
  readonly partyAt: number
  /** How often a transaction of the server's can still fail permanently. */
  readonly failures: number
  readonly calls: number
  readonly topUps: number
  /** Something was earned that the chain could have paid and the payer has got back. */
  readonly isRobbed: boolean
}
export type ChannelProfile = { readonly name: string; readonly calls: number; readonly failures: number; readonly isPrompt: boolean }

const day = 86_400
const limits = depositAndClaimLimits(6)
const startTime = 1_900_000_000
const price = 2_000_000
const deposit = 10_000_000
/** From the last word of a party: the idle time, some refusals, and the notice. */
const maxDays = 32

export function channelWorld(profile: ChannelProfile, rules: Rules): World<ChannelWorldState> {
  return {
    name: profile.name,
    starts: [startOf(profile, rules)],
    keyOf: ({ chain, kept, changedAt, requestedAt, partyAt, failures, calls, topUps }) =>
      kept.state === 'closed'
        ? 'closed'
        : [chainKey(chain), kept.state, keptKey(kept), changedAt, requestedAt, partyAt, failures, calls, topUps].join(),
    movesOf: (from) => movesOf(from, profile, rules),
    isFunded: ({ chain, kept }) => chain.status === 'open' || kept.state !== 'closed',
    faultOf: (state) => faultOf(state, profile),
    moveFaultOf,
    ageOf: ({ chain, partyAt }) => chain.time - partyAt,
    maxSeconds: (profile.isPrompt ? maxDays : 4 * maxDays) * day,
  }
}

const chainKey = (chain: Channels) => [chain.time, chain.status, chain.deposit, chain.claimed, chain.closeRequestedAt].join('/')
function keptKey(kept: Channel): string {
  const { claimed, claimRequested, withdrawableAt, failure } = {
    claimed: 0n,
    claimRequested: 0n,
    withdrawableAt: 0,
    failure: null,
    ...kept,
  }
  return [kept.deposit, kept.earned?.amount, kept.pending?.amount, claimed, claimRequested, withdrawableAt, failure].join('/')
}

function startOf(profile: ChannelProfile, rules: Rules): ChannelWorldState {
  const chain = openChannels(startTime, deposit, rules.withdrawDelaySeconds)
  if (!chain) throw new Error('the contract does not open the channel that this world begins with')
  const config = { withdrawDelay: rules.withdrawDelaySeconds }
  const agreed = {
    id: '0x01',
    asset: 'usdc',
    clientId: 'client',
    agentId: 'agent',
    config,
    deposit: BigInt(deposit),
    createdAt: at(startTime),
  }
  const opening = { ...agreed, earned: null, pending: null, state: 'opening', authorization: {} } as unknown as Channel
  const kept = rules.advanceChannel(opening, { type: 'open', tx: '0xopen', deposit: BigInt(deposit) })
  const { failures, calls } = profile
  return {
    chain,
    kept,
    changedAt: startTime,
    requestedAt: 0,
    partyAt: startTime,
    failures,
    calls,
    topUps: 1,
    isRobbed: false,
  }
}

function movesOf(from: ChannelWorldState, profile: ChannelProfile, rules: Rules): Move<ChannelWorldState>[] {
  if (from.chain.status === 'closed') return []
  const own = byServer(from, rules)
  const moves = [...own, ...byParties(from, rules)]
  const next = nextMoment(from, rules)
  if (next === null || (profile.isPrompt && own.length > 0)) return moves
  return [...moves, { name: 'time', by: 'time', to: { ...from, chain: { ...from.chain, time: next } } }]
}

function nextMoment({ chain, kept, changedAt, requestedAt }: ChannelWorldState, rules: Rules): number | null {
  const lease = kept.pending ? [requestedAt + rules.callLeaseMs / 1_000] : []
  const notice = chain.closeRequestedAt === 0 ? [] : [chain.closeRequestedAt + chain.withdrawDelay]
  const isRefused = 'failure' in kept && kept.failure !== null
  const stale = isRefused ? [changedAt + rules.claimRetrySeconds] : kept.state === 'open' ? [changedAt + rules.idleSeconds] : []
  const moments = [...lease, ...notice, ...stale].filter((one) => one > chain.time && Number.isFinite(one))
  return moments.length === 0 ? null : Math.min(...moments)
}

function byServer(from: ChannelWorldState, rules: Rules): Move<ChannelWorldState>[] {
  const { kept, chain, changedAt, requestedAt } = from
  const now = chain.time
  const moves: Move<ChannelWorldState>[] = []
  const stale = rules.timeoutEvent(kept, { changedAt, now })
  if (stale) moves.push({ name: stale.type, by: 'server', to: { ...from, kept: rules.advanceChannel(kept, stale), changedAt: now } })
  if (kept.pending && now >= requestedAt + rules.callLeaseMs / 1_000)
    moves.push({
      name: 'call expires',
      by: 'server',
      to: { ...from, kept: rules.advanceChannel(kept, { type: 'release' }), changedAt: now },
    })
  const wanted = rules.nextChainAction(kept, limits)
  if ((wanted !== 'claim' && wanted !== 'close') || (kept.state !== 'open' && kept.state !== 'closing')) return moves
  const next = rules.nextChannelCall(kept, { closeRequestedAt: chain.closeRequestedAt, now })
  if (!next) return moves
  const refused = () => ({
    ...from,
    kept: rules.advanceChannel(kept, { type: 'refuse', failure: 'refused' }),
    changedAt: now,
    failures: from.failures - 1,
  })
  if (from.failures > 0) moves.push({ name: 'the chain refuses', by: 'chain', to: refused() })
  const total = 'voucher' in next ? Number(next.voucher.amount) : 0
  const call: ChannelsCall =
    next.call === 'withdraw'
      ? { fn: 'withdraw' }
      : next.call === 'close'
        ? { fn: 'close', by: 'authorizer', total, voucher: total }
        : { fn: 'claim', total, voucher: total }
  const to = send(from, call, rules)
  if (to) moves.push({ name: next.call, by: 'server', to })
  return moves
}

function send(from: ChannelWorldState, call: ChannelsCall, rules: Rules): ChannelWorldState | null {
  const outcome = rules.channels(from.chain, call)
  if (outcome === null) return null
  let kept = from.kept
  for (const event of outcome.events) {
    const what = eventOf(kept, event, rules)
    if (what) kept = rules.advanceChannel(kept, what)
  }
  const { state } = outcome
  const earned = Number(from.kept.earned?.amount ?? 0n)
  const isRobbed = from.isRobbed || (state.status === 'closed' && state.receiver < earned && call.fn === 'withdraw')
  return { ...from, chain: state, kept, changedAt: kept === from.kept ? from.changedAt : state.time, isRobbed }
}

function eventOf(kept: Channel, { name, args }: ChannelLog, rules: Rules) {
  return rules.channelEventOf(kept, { name, args, txHash: '0xtx', block: 1, logIndex: 0, at: 0, planId: null } as never)
}

function byParties(from: ChannelWorldState, rules: Rules): Move<ChannelWorldState>[] {
  const { kept, chain } = from
  const earned = Number(kept.earned?.amount ?? 0n)
  const moves: Move<ChannelWorldState>[] = []
  const add = (name: string, by: 'client' | 'payee', to: () => ChannelWorldState | null) => {
    const next = attempt(to)
    if (next) moves.push({ name, by, to: { ...next, partyAt: chain.time } })
  }
  const change = (event: Parameters<Rules['advanceChannel']>[1], more: Partial<ChannelWorldState> = {}) => {
    return () => ({ ...from, kept: rules.advanceChannel(kept, event), changedAt: chain.time, ...more })
  }
  const amount = (kept.earned?.amount ?? 0n) + BigInt(price)
  if (from.calls > 0) {
    const voucher = { amount, signature: '0x02' as const }
    add('call', 'client', change({ type: 'reserve', price: BigInt(price), voucher }, { calls: from.calls - 1, requestedAt: chain.time }))
  }
  const isInTime = kept.pending !== null && chain.time < from.requestedAt + rules.callLeaseMs / 1_000
  if (isInTime) add('answer', 'payee', change({ type: 'capture', limit: BigInt(3 * price) }))
  if (kept.pending) add('decline', 'payee', change({ type: 'release' }))
  if (kept.state === 'open') add('close', 'client', change({ type: 'request_close' }))
  // Asking again changes nothing.
  const isAsked = 'claimRequested' in kept && kept.claimRequested >= (kept.earned?.amount ?? 0n)
  if (kept.state === 'open' && !isAsked) add('claim', 'payee', change({ type: 'request_claim', limits }))
  const atContract: readonly (readonly ['client' | 'payee', ChannelsCall])[] = [
    ['client', { fn: 'requestClose' }],
    ['client', { fn: 'withdraw' }],
    ['payee', { fn: 'claim', total: earned, voucher: earned }],
    ['payee', { fn: 'close', by: 'receiver', total: earned === 0 ? chain.claimed : earned, voucher: earned }],
    ['payee', { fn: 'closeWithSignatures', total: earned, validBefore: startTime + 20 * day }],
  ]
  for (const [by, call] of atContract) add(`contract: ${call.fn}`, by, () => send(from, call, rules))
  if (from.topUps > 0)
    add('contract: topUp', 'client', () => {
      const to = send(from, { fn: 'topUp', amount: price, by: 'payer' }, rules)
      return to && { ...to, topUps: 0 }
    })
  return moves
}

function faultOf({ chain, kept, isRobbed }: ChannelWorldState, { isPrompt }: ChannelProfile): string | null {
  const left = chain.status === 'open' ? chain.deposit - chain.claimed : 0
  if (chain.receiver + chain.payer + left !== chain.deposit) return 'A channel pays more, or less, than was put in.'
  if (chain.claimed > chain.deposit || left < 0) return 'A channel has paid more than its deposit.'
  if (chain.receiver > Number(kept.earned?.amount ?? 0n)) return 'The receiver has more than it was promised.'
  return isRobbed && isPrompt ? 'The payer has got back what its receiver had earned.' : null
}

function moveFaultOf(from: ChannelWorldState, { to, by, name }: Move<ChannelWorldState>): string | null {
  const { chain } = from
  if (chain.status === 'closed' && to.chain !== chain) return 'A closed channel has changed.'
  const isEnded = to.chain.status === 'closed' && chain.status === 'open'
  const hasRun = chain.closeRequestedAt !== 0 && chain.time >= chain.closeRequestedAt + day
  if (isEnded && name.endsWith('withdraw') && !hasRun) return 'The payer has withdrawn before the receiver could claim.'
  if (isEnded && by === 'server' && to.chain.receiver < Number(from.kept.earned?.amount ?? 0n))
    return 'The server has closed below what is earned.'
  const isExpired = name.endsWith('closeWithSignatures') && chain.time >= startTime + 20 * day
  return isExpired ? 'A channel was closed by signatures that had run out.' : null
}
