/** VoucherChannels as far as one channel goes: what its calls take, and what they do. Amounts in base units, times in Unix seconds. */

export type Channels = {
  readonly time: number
  readonly status: 'none' | 'open' | 'closed'
  readonly deposit: number
  readonly claimed: number
  readonly closeRequestedAt: number
  readonly withdrawDelay: number
  /** Who has what: everything that was ever put in. */
  readonly receiver: number
  readonly payer: number
}

export type ChannelsCall =
  | { readonly fn: 'claim'; readonly total: number; readonly voucher: number }
  /** By the authorizer it only gives notice. `total`: what was claimed already where nothing is new. */
  | { readonly fn: 'close'; readonly by: 'receiver' | 'authorizer'; readonly total: number; readonly voucher: number }
  | { readonly fn: 'closeWithSignatures'; readonly total: number; readonly validBefore: number }
  | { readonly fn: 'requestClose' | 'withdraw' }
  | { readonly fn: 'topUp'; readonly amount: number; readonly by: 'payer' | 'authorization' }

export type ChannelLog = { readonly name: string; readonly args: { readonly [name: string]: number } }
export type ChannelsOutcome = { readonly state: Channels; readonly events: readonly ChannelLog[] } | null

const minDelay = 900
const maxDelay = 30 * 86_400

/** Null where the contract refuses. */
export function openChannels(time: number, deposit: number, withdrawDelay: number): Channels | null {
  if (withdrawDelay < minDelay || withdrawDelay > maxDelay || deposit === 0) return null
  return { time, status: 'open', deposit, claimed: 0, closeRequestedAt: 0, withdrawDelay, receiver: 0, payer: 0 }
}

/** Null where the contract refuses. */
export function callChannels(before: Channels, what: ChannelsCall): ChannelsOutcome {
  if (before.status !== 'open') return null
  switch (what.fn) {
    case 'claim':
      return take(before, what.total, what.voucher)
    case 'close': {
      const taken = what.total === before.claimed ? { state: before, events: [] } : take(before, what.total, what.voucher)
      if (taken === null) return null
      if (what.by === 'receiver') return end(taken.state, taken.events)
      if (before.closeRequestedAt === 0) return notice(taken.state, taken.events)
      return taken.state === before ? null : taken
    }
    case 'closeWithSignatures': {
      if (before.time >= what.validBefore || what.total < before.claimed || what.total > before.deposit) return null
      const paid = { ...before, claimed: what.total, receiver: before.receiver + what.total - before.claimed }
      const events = what.total === before.claimed ? [] : [{ name: 'Claimed', args: { totalClaimed: what.total } }]
      return end(paid, events)
    }
    case 'requestClose':
      return before.closeRequestedAt === 0 ? notice(before, []) : null
    case 'withdraw': {
      const isOver = before.closeRequestedAt !== 0 && before.time >= before.closeRequestedAt + before.withdrawDelay
      return isOver ? end(before, []) : null
    }
    case 'topUp': {
      const deposit = before.deposit + what.amount
      const closeRequestedAt = what.by === 'payer' ? 0 : before.closeRequestedAt
      return { state: { ...before, deposit, closeRequestedAt }, events: [{ name: 'ToppedUp', args: { deposit } }] }
    }
    default:
      return what satisfies never
  }
}

function take(before: Channels, total: number, voucher: number): ChannelsOutcome {
  if (total <= before.claimed || total > voucher || total > before.deposit) return null
  const state = { ...before, claimed: total, receiver: before.receiver + total - before.claimed }
  return { state, events: [{ name: 'Claimed', args: { totalClaimed: total } }] }
}

function notice(before: Channels, events: readonly ChannelLog[]): ChannelsOutcome {
  const withdrawableAt = before.time + before.withdrawDelay
  const state = { ...before, closeRequestedAt: before.time }
  return { state, events: [...events, { name: 'CloseRequested', args: { withdrawableAt } }] }
}

function end(before: Channels, events: readonly ChannelLog[]): ChannelsOutcome {
  const refunded = before.deposit - before.claimed
  const state = { ...before, status: 'closed' as const, payer: before.payer + refunded }
  return { state, events: [...events, { name: 'ChannelClosed', args: { totalClaimed: before.claimed, refunded } }] }
}
