import { describe, expect, it } from 'vitest'
import type { EscrowEvent } from '../../../../server/ports.ts'
import { draftChannelTransfers, draftChannelWithdrawal } from '../../../../server/settlement/ledger/draft-channel-transfers.ts'

const id = `0x${'a'.repeat(64)}` as const
const event = (name: string, args: EscrowEvent['args']): EscrowEvent => ({
  contract: 'channels',
  name,
  planId: null,
  channelId: id,
  args,
  txHash: id,
  logIndex: 0,
  block: 1,
  blockHash: id,
  at: 0,
})
const drafts = (events: EscrowEvent[], claimed = 0n) => draftChannelTransfers(id, events, { payer: '0x1', receiver: '0x2', claimed })
/** The effect of each fact on each account. */
const lines = (events: EscrowEvent[], claimed = 0n) =>
  Object.fromEntries(
    drafts(events, claimed).map(({ key, entries }) => [
      key.split(':')[0],
      Object.fromEntries(entries.map((one) => [one.account, one.debit - one.credit])),
    ]),
  )
const own = `channel:${id}`

describe('draftChannel', () => {
  it('books deposits, and of a cumulative claim the new part', () => {
    expect(lines([event('ChannelOpened', { deposit: '100' })])).toEqual({ opened: { 'client:0x1': -100n, [own]: 100n } })
    expect(lines([event('ToppedUp', { amount: '7', deposit: '107' })])).toEqual({ 'topped-up': { 'client:0x1': -7n, [own]: 7n } })
    expect(lines([event('Claimed', { totalClaimed: '40' })], 30n)).toEqual({ claimed: { [own]: -10n, 'payee:0x2': 10n } })
    expect(lines([event('Claimed', { totalClaimed: '40' })], 40n)).toEqual({})
  })

  it('books a close with its last claim once, whether or not the log says it twice', () => {
    const close = event('ChannelClosed', { totalClaimed: '40', refunded: '60' })
    expect(lines([event('Claimed', { totalClaimed: '40' }), close], 30n)).toEqual({
      claimed: { [own]: -10n, 'payee:0x2': 10n },
      closed: { [own]: -60n, 'client:0x1': 60n },
    })
    expect(lines([close], 30n)).toEqual({ closed: { [own]: -70n, 'payee:0x2': 10n, 'client:0x1': 60n } })
  })

  it('puts what the token refused where it waits, of the payee and of the payer', () => {
    const claim = event('Claimed', { totalClaimed: '40' })
    const close = event('ChannelClosed', { totalClaimed: '40', refunded: '60' })
    const credited = (account: string, amount: string) => event('Credited', { account, amount })
    expect(lines([claim, credited('0x2', '40')])).toEqual({ claimed: { [own]: -40n, 'channel-credit:0x2': 40n } })
    expect(lines([claim, close, credited('0x2', '40'), credited('0x1', '60')])).toEqual({
      claimed: { [own]: -40n, 'channel-credit:0x2': 40n },
      closed: { [own]: -60n, 'channel-credit:0x1': 60n },
    })
    expect(lines([credited('0x2', '90')])).toEqual({})
  })

  it('calls each by the fact, not by its transaction', () => {
    const events = [
      event('ChannelOpened', { deposit: '100' }),
      event('ToppedUp', { amount: '7', deposit: '107' }),
      event('Claimed', { totalClaimed: '40' }),
      event('ChannelClosed', { totalClaimed: '40', refunded: '67' }),
    ]
    const keys = [`opened:${id}`, `topped-up:${id}:107`, `claimed:${id}:40`, `closed:${id}`]
    expect(drafts(events).map((draft) => draft.key)).toEqual(keys)
    expect(drafts(events.map((one) => ({ ...one, txHash: '0xb' as const }))).map((draft) => draft.key)).toEqual(keys)
  })
})

describe('draftChannelWithdrawal', () => {
  it('books out what our own channels brought there, by its number', () => {
    const fetched = event('CreditWithdrawn', { account: '0x2', to: '0x3', amount: '90' })
    expect(draftChannelWithdrawal(fetched, 40n, 2)).toMatchObject({
      key: 'withdrawn:channels:0x2:2',
      entries: [
        { account: 'channel-credit:0x2', credit: 40n },
        { account: 'wallet:0x3', debit: 40n },
      ],
    })
    expect(draftChannelWithdrawal(fetched, 0n, 2)).toBeNull()
  })
})
