import type { EscrowEvent } from '../../ports.ts'

/**
 * What one transaction did to one plan, to one channel, or to one account's credit. It is booked whole or not at all, and one
 * that cannot be booked keeps no other from it.
 */
export type EventGroup = {
  readonly contract: EscrowEvent['contract']
  /** Exactly one of these three is not null. */
  readonly planId: EscrowEvent['planId']
  readonly channelId: EscrowEvent['channelId']
  readonly account: string | null
  /** Of a channel: what had been claimed from it before, base units. */
  readonly claimed: bigint
  readonly events: readonly [EscrowEvent, ...EscrowEvent[]]
}
/** What had been claimed from each channel, base units. */
export type ClaimedTotals = ReadonlyMap<string, bigint>

/** Splits events into groups, in the chain's order. `claimed`: before the first of them. */
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

/** `claimed` is brought forward. */
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
 * The log names what the token refused to send by the account alone, for a batch of claims in one sum. Here each part of it is
 * given to the channel that it came from: the latest payments before it, up to the sum. `claimed` is brought forward.
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

/** What can't be read counts as nothing here: it fails where its own group is booked, and there alone. */
function amountOf(event: EscrowEvent, arg: string): bigint {
  const text = String(event.args[arg])
  return /^\d+$/.test(text) ? BigInt(text) : 0n
}

function min(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
