import type { EscrowEvent } from '../../ports.ts'
import { min } from '../ledger/ledger.ts'

/**
 * The events of one transaction that concern one plan, one channel, or one account's credit. A group is applied atomically, and a
 * failed group does not affect others.
 */
export type EventGroup = {
  readonly contract: EscrowEvent['contract']
  /** Exactly one of the next three is not null. */
  readonly planId: EscrowEvent['planId']
  readonly channelId: EscrowEvent['channelId']
  readonly account: string | null
  /** For a channel: amount claimed before this group, in base units. */
  readonly claimed: bigint
  readonly events: readonly [EscrowEvent, ...EscrowEvent[]]
}
/** Amount claimed from each channel, in base units. */
export type ClaimedTotals = ReadonlyMap<string, bigint>

/** Splits events into groups, in chain order. `claimed`: totals before the first event. */
export function groupEvents(events: readonly EscrowEvent[], claimed: ClaimedTotals = new Map()): EventGroup[] {
  const ordered = [...events].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  const before = new Map(claimed)
  const groups = [...Map.groupBy(ordered, (event) => event.txHash).values()].flatMap((transaction) => [
    ...groupWithdrawals(transaction),
    ...groupPlans(transaction),
    ...groupChannels(transaction, before),
  ])
  return groups.sort(({ events: [a] }, { events: [b] }) => a.block - b.block || a.logIndex - b.logIndex)
}

const noSubject = { planId: null, channelId: null, account: null, claimed: 0n }

function groupWithdrawals(events: readonly EscrowEvent[]): EventGroup[] {
  return events
    .filter((event) => event.name === 'CreditWithdrawn')
    .map((event) => ({ ...noSubject, contract: event.contract, account: String(event.args.account), events: [event] }))
}

function groupPlans(events: readonly EscrowEvent[]): EventGroup[] {
  const ofPlans = Map.groupBy(events, ({ contract, planId }) => (contract === 'escrow' ? planId : null))
  return [...ofPlans].flatMap(([planId, [first, ...rest]]): EventGroup[] =>
    planId === null || !first ? [] : [{ ...noSubject, contract: 'escrow', planId, events: [first, ...rest] }],
  )
}

/** Updates `claimed`. */
function groupChannels(events: readonly EscrowEvent[], claimed: Map<string, bigint>): EventGroup[] {
  const before = new Map(claimed)
  const assigned = assignCredits(
    events.filter((event) => event.contract === 'channels'),
    claimed,
  )
  const ofChannels = Map.groupBy(assigned, (event) => event.channelId)
  return [...ofChannels].flatMap(([channelId, [first, ...rest]]): EventGroup[] =>
    channelId === null || !first
      ? []
      : [{ ...noSubject, contract: 'channels', channelId, claimed: before.get(channelId) ?? 0n, events: [first, ...rest] }],
  )
}

/**
 * Assigns `Credited` events to channels. The event names only the account and sums up a batch of claims. Each part is assigned to
 * the channel of the latest preceding payments, up to the sum. Updates `claimed`.
 */
function assignCredits(events: readonly EscrowEvent[], claimed: Map<string, bigint>): EscrowEvent[] {
  const sent: { readonly channelId: `0x${string}`; left: bigint }[] = []
  const assigned: EscrowEvent[] = []
  for (const event of events) {
    const { channelId } = event
    if (event.name === 'Credited') {
      let rest = amountOf(event, 'amount')
      for (const one of sent.toReversed()) {
        const part = min(one.left, rest)
        one.left -= part
        rest -= part
        if (part > 0n) assigned.push({ ...event, channelId: one.channelId, args: { ...event.args, amount: part.toString() } })
      }
      continue
    }
    if (channelId === null) continue
    if (event.name === 'Claimed' || event.name === 'ChannelClosed') {
      const [total, before] = [amountOf(event, 'totalClaimed'), claimed.get(channelId) ?? 0n]
      if (total > before) {
        sent.push({ channelId, left: total - before })
        claimed.set(channelId, total)
      }
    }
    if (event.name === 'ChannelClosed') sent.push({ channelId, left: amountOf(event, 'refunded') })
    assigned.push(event)
  }
  return assigned
}

/** An unreadable amount counts as zero here. It fails later, when its own group is applied. */
function amountOf(event: EscrowEvent, arg: string): bigint {
  const text = String(event.args[arg])
  return /^\d+$/.test(text) ? BigInt(text) : 0n
}
