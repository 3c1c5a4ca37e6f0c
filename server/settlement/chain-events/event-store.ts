import type { Context } from '../../context.ts'
import { inSavepoint } from '../../db/savepoint.ts'
import type { EscrowEvent } from '../../ports.ts'
import { isTransient } from './apply-event-groups.ts'
import type { ClaimedTotals, EventGroup } from './group-events.ts'

/** Stores events. If an event cannot be stored, stores the others. Returns the affected groups with the error. */
export async function storeEvents(
  tx: Context,
  events: readonly EscrowEvent[],
  groups: readonly EventGroup[],
): Promise<ReadonlyMap<EventGroup, unknown>> {
  const unstored = new Map<EventGroup, unknown>()
  const store = (some: readonly EscrowEvent[]) =>
    inSavepoint(tx, () => tx.db.chainLog.createMany({ data: some.map((event) => logRow(tx, event)), skipDuplicates: true }))
  try {
    await store(events)
    return unstored
  } catch (error) {
    if (isTransient(error)) throw error
  }
  for (const event of events) {
    try {
      await store([event])
    } catch (error) {
      if (isTransient(error)) throw error
      const isIn = (group: EventGroup) => group.events.some((one) => one.txHash === event.txHash && one.logIndex === event.logIndex)
      for (const group of groups.filter(isIn)) unstored.set(group, error)
    }
  }
  return unstored
}

function logRow(tx: Context, { at, raw: _raw, ...event }: EscrowEvent) {
  return { chainId: tx.market.chainId, ...event, at: new Date(at * 1_000) }
}

/** Amounts claimed from the channels before the first of these events, by the indexed log. */
export async function readClaimedTotals(ctx: Context, events: readonly EscrowEvent[]): Promise<ClaimedTotals> {
  const ids = [...new Set(events.flatMap((event) => event.channelId ?? []))]
  const first = events.reduce((block, event) => Math.min(block, event.block), Number.POSITIVE_INFINITY)
  if (ids.length === 0 || !Number.isFinite(first)) return new Map()
  const { chainId } = ctx.market
  const rows = await ctx.db.$queryRaw<{ channelId: string; claimed: string }[]>`
    select "channelId", max(("args" ->> 'totalClaimed')::numeric)::text as "claimed" from "chain_log"
    where "chainId" = ${chainId} and "channelId" = any(${ids}) and "name" in ('Claimed', 'ChannelClosed') and "block" < ${first}
      and "args" ->> 'totalClaimed' ~ '^[0-9]+$'
    group by "channelId"`
  return new Map(rows.map(({ channelId, claimed }) => [channelId, BigInt(claimed)]))
}
