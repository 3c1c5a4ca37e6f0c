import { describe, expect, it } from 'vitest'
import type { EscrowEvent } from '../../../server/ports.ts'
import { draftChannels } from '../../../server/settlement/channel-ledger.ts'

const id = `0x${'a'.repeat(64)}` as const
const event = (name: string, args: EscrowEvent['args'], channelId: `0x${string}` | null = id): EscrowEvent => ({
  contract: 'channels',
  name,
  planId: null,
  channelId,
  args,
  txHash: id,
  logIndex: 0,
  block: 1,
  blockHash: id,
  at: 0,
})
const ours =
  (claimed = 0n) =>
  (one: string) =>
    one === id ? { payer: '0x1', receiver: '0x2', claimed } : undefined
const none = () => 0n
const lines = (events: EscrowEvent[], claimed = 0n, held: (account: string) => bigint = none) =>
  Object.fromEntries((draftChannels(events, ours(claimed), held)?.entries ?? []).map((one) => [one.account, one.debit - one.credit]))

describe('draftChannels', () => {
  it('books what comes in, and of a cumulative claim what is new', () => {
    expect(lines([event('ChannelOpened', { deposit: '100' })])).toEqual({ 'client:0x1': -100n, [`channel:${id}`]: 100n })
    expect(lines([event('ToppedUp', { amount: '7', deposit: '107' })])).toEqual({ 'client:0x1': -7n, [`channel:${id}`]: 7n })
    expect(lines([event('Claimed', { totalClaimed: '40' })], 30n)).toEqual({ [`channel:${id}`]: -10n, 'payee:0x2': 10n })
    expect(lines([event('Claimed', { totalClaimed: '40' })], 40n)).toEqual({})
  })

  it('books a close with its last claim once, whether or not the log says it twice', () => {
    const closed = { [`channel:${id}`]: -70n, 'payee:0x2': 10n, 'client:0x1': 60n }
    const close = event('ChannelClosed', { totalClaimed: '40', refunded: '60' })
    expect(lines([event('Claimed', { totalClaimed: '40' }), close], 30n)).toEqual(closed)
    expect(lines([close], 30n)).toEqual(closed)
  })

  it('puts what the token refused where it waits, as far as it is ours, and books it out when it is fetched', () => {
    const claim = event('Claimed', { totalClaimed: '40' })
    const credited = (account: string, amount: string) => event('Credited', { account, amount }, null)
    expect(lines([claim, credited('0x2', '40')])).toEqual({ [`channel:${id}`]: -40n, 'channel-credit:0x2': 40n })
    // A batch that others' channels are in too.
    expect(lines([claim, credited('0x2', '90')])).toEqual({ [`channel:${id}`]: -40n, 'channel-credit:0x2': 40n })
    expect(lines([credited('0x2', '90')])).toEqual({})
    const fetched = [event('CreditWithdrawn', { account: '0x2', to: '0x3', amount: '90' }, null)]
    expect(lines(fetched, 0n, () => 40n)).toEqual({ 'channel-credit:0x2': -40n, 'wallet:0x3': 40n })
    expect(draftChannels(fetched, ours(), () => 40n)?.key).toMatch(/^withdraw:/)
  })

  it("leaves others' channels alone", () => {
    expect(lines([event('ChannelOpened', { deposit: '100' }, `0x${'b'.repeat(64)}`)])).toEqual({})
  })
})
