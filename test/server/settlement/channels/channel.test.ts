import { type ChannelState, canFollow, channelStates, channelTransitions } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../../server/errors.ts'
import {
  advanceChannel,
  type Channel,
  type ChannelEvent,
  earnedAmount,
  isFundedChannel,
  nextVoucherAmount,
  unclaimedAmount,
  nextChainAction as wantedWithin,
} from '../../../../server/settlement/channels/channel.ts'
import { depositAndClaimLimits } from '../../../../server/settlement/channels/deposit-and-claim-limits.ts'

const limits = depositAndClaimLimits(6)
const wantedOf = (channel: Channel) => wantedWithin(channel, limits)
const hex = `0x${'a'.repeat(64)}` as const
const address = `0x${'1'.repeat(40)}` as const
const config = {
  payer: address,
  payerAuthorizer: address,
  receiver: address,
  receiverAuthorizer: address,
  token: address,
  withdrawDelay: 86_400,
  salt: hex,
}
const agreed = {
  id: hex,
  asset: 'a',
  clientId: 'c',
  agentId: 'g',
  config,
  deposit: 100n,
  createdAt: new Date(0),
  earned: null,
  pending: null,
}
const start = (): Channel => ({ ...agreed, state: 'opening', authorization: { validAfter: 0, validBefore: 9, signature: hex, attempt: 1 } })
const opening = start()

const amount = fc.bigInt(0n, 60n)
const event: fc.Arbitrary<ChannelEvent> = fc.oneof(
  fc.constant<ChannelEvent>({ type: 'sign', authorization: { validAfter: 0, validBefore: 9, signature: hex, attempt: 2 } }),
  fc.constant<ChannelEvent>({ type: 'fail', failure: 'no' }),
  fc.constant<ChannelEvent>({ type: 'open', tx: hex, deposit: 100n }),
  amount.map((price): ChannelEvent => ({ type: 'reserve', price, voucher: { amount: price, signature: hex } })),
  fc.tuple(amount, amount).map(([price, sum]): ChannelEvent => ({ type: 'reserve', price, voucher: { amount: sum, signature: hex } })),
  fc.constant<ChannelEvent>({
    type: 'request_top_up',
    topUp: { validAfter: 0, validBefore: 9, signature: hex, attempt: 1, amount: 500_000n, salt: hex, failure: null },
    limits,
  }),
  fc.constant<ChannelEvent>({ type: 'reject_top_up', failure: 'no' }),
  fc.constant<ChannelEvent>({ type: 'top_up', deposit: 500_100n }),
  fc.constant<ChannelEvent>({ type: 'capture', limit: 100_000_000n }),
  fc.constant<ChannelEvent>({ type: 'release' }),
  fc.constant<ChannelEvent>({ type: 'request_claim', limits }),
  fc.constant<ChannelEvent>({ type: 'request_close' }),
  fc.constant<ChannelEvent>({ type: 'close_requested', withdrawableAt: 5 }),
  amount.map((total): ChannelEvent => ({ type: 'claim', total })),
  fc.constant<ChannelEvent>({ type: 'refuse', failure: 'no' }),
  fc.tuple(amount, amount).map(([total, refunded]): ChannelEvent => ({ type: 'close', tx: hex, total, refunded })),
)

describe('advanceChannel', () => {
  it('only goes where the table leads, and what is earned and claimed only grows and never passes the deposit', () => {
    const reached = new Set<ChannelState>()
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 30 }), (events) => {
        let channel = start()
        for (const one of events) {
          let next: Channel
          try {
            next = advanceChannel(channel, one)
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError)
            continue
          }
          reached.add(next.state)
          expect(next.state === channel.state || canFollow(channelTransitions, channel.state, next.state)).toBe(true)
          if (isFundedChannel(channel) && isFundedChannel(next)) {
            expect(earnedAmount(next)).toBeGreaterThanOrEqual(earnedAmount(channel))
            expect(next.claimed).toBeGreaterThanOrEqual(channel.claimed)
            expect(earnedAmount(next)).toBeLessThanOrEqual(next.deposit)
            // Only reserved amounts can be earned.
            if (earnedAmount(next) > earnedAmount(channel)) expect(next.earned).toEqual(channel.pending)
          }
          channel = next
        }
      }),
      { numRuns: 400 },
    )
    expect([...reached].sort()).toEqual([...channelStates].sort())
  })
})

describe('channelLimits', () => {
  it('are the same amounts of dollars for all decimals of the token', () => {
    for (const decimals of [2, 6, 12]) {
      const unit = 10n ** BigInt(decimals)
      const { minDeposit, maxDeposit, autoClaimThreshold, minClaim } = depositAndClaimLimits(decimals)
      expect([minDeposit * 2n, maxDeposit, autoClaimThreshold, minClaim * 20n]).toEqual([unit, 10_000n * unit, 5n * unit, unit])
    }
  })
})

describe('wantedOf', () => {
  const open = advanceChannel(opening, { type: 'open', tx: hex, deposit: 20_000_000n })
  const through = (channel: Channel, ...events: ChannelEvent[]) => events.reduce(advanceChannel, channel)
  const call = (channel: Channel, price: bigint) =>
    through(channel, { type: 'reserve', price, voucher: { amount: nextVoucherAmount(channel, price), signature: hex } })

  it('opens what is signed, claims what is worth it or asked for, and closes when no call is open', () => {
    expect(wantedOf(opening)).toBe('open')
    expect(wantedOf(open)).toBeNull()
    const little = through(call(open, 4_999_999n), { type: 'capture', limit: 100_000_000n })
    expect([wantedOf(little), wantedOf(through(little, { type: 'request_claim', limits }))]).toEqual([null, 'claim'])
    expect(wantedOf(through(call(little, 1n), { type: 'capture', limit: 100_000_000n }))).toBe('claim')
    const busy = through(call(little, 1n), { type: 'request_close' })
    expect([
      wantedOf(busy),
      wantedOf(through(busy, { type: 'release' })),
      wantedOf(through(busy, { type: 'capture', limit: 100_000_000n })),
    ]).toEqual([null, 'close', 'close'])
    expect(wantedOf(through(open, { type: 'close_requested', withdrawableAt: 5 }))).toBe('close')
  })

  it('tops up an open channel before it claims, once, and never one that closes', () => {
    const authorization = { validAfter: 0, validBefore: 9, signature: hex, attempt: 1 }
    const add: ChannelEvent = { type: 'request_top_up', topUp: { ...authorization, amount: 500_000n, salt: hex, failure: null }, limits }
    const adding = through(call(open, 6_000_000n), { type: 'capture', limit: 100_000_000n }, add)
    expect(wantedOf(adding)).toBe('top_up')
    expect(() => advanceChannel(adding, add)).toThrow(/being topped up/)
    const refused = through(adding, { type: 'reject_top_up', failure: 'no' })
    expect([wantedOf(refused), wantedOf(through(refused, add))]).toEqual(['claim', 'top_up'])
    expect(wantedOf(through(adding, { type: 'top_up', deposit: 20_500_000n }))).toBe('claim')
    expect(wantedOf(through(adding, { type: 'request_close' }))).toBe('close')
  })

  it('waits for a word where the chain has refused permanently, and claims nothing twice', () => {
    const due = through(call(open, 6_000_000n), { type: 'capture', limit: 100_000_000n })
    const refused = through(due, { type: 'refuse', failure: 'no' })
    expect([wantedOf(refused), wantedOf(through(refused, { type: 'request_claim', limits }))]).toEqual([null, 'claim'])
    const claimed = through(due, { type: 'claim', total: 6_000_000n })
    expect([wantedOf(claimed), isFundedChannel(claimed) && unclaimedAmount(claimed)]).toEqual([null, 0n])
    expect(() => advanceChannel(claimed, { type: 'request_claim', limits })).toThrow(/below the minimum/)
  })
})
