import type { Context } from '../context.ts'
import type { EscrowEvent } from '../ports.ts'
import { type BookedChannel, draftChannels } from './channel-ledger.ts'
import { draftTransfers, draftWithdrawal, type LedgerDraft, type LedgerEntry } from './ledger.ts'
import { groupEvents } from './read-chain.ts'

const rangeBlocks = 2_000

/** A transfer as the escrow's log alone would have it, and the block that it is in. */
export type ChainDraft = LedgerDraft & { readonly block: number }

/** The escrow's log, asked for anew and not as we remember it. */
export async function readLog(ctx: Context, fromBlock: number, toBlock: number): Promise<EscrowEvent[]> {
  const events: EscrowEvent[] = []
  for (let from = fromBlock; from <= toBlock; from += rangeBlocks + 1)
    events.push(...(await ctx.ports.rail.readEvents(from, Math.min(toBlock, from + rangeBlocks))))
  return events
}

/**
 * The ledger as the log alone would have it. A credit that is withdrawn or spent is booked by what our own plans have brought to
 * its account, so it needs the log from its beginning; `isWhole`: this is.
 */
export async function draftLog(ctx: Context, events: readonly EscrowEvent[], isWhole: boolean): Promise<ChainDraft[]> {
  const holds = await ctx.db.hold.findMany({ where: { chainId: ctx.market.chainId }, select: { goalId: true, planId: true } })
  const goalOf = new Map(holds.map((hold) => [hold.planId, hold.goalId]))
  const held = new Map<string, bigint>()
  const drafts: ChainDraft[] = []
  const add = (draft: LedgerDraft, block: number) => {
    for (const { account, debit, credit } of draft.entries) held.set(account, (held.get(account) ?? 0n) + debit - credit)
    drafts.push({ ...draft, block })
  }
  const channels = await bookedChannels(ctx, events)
  for (const group of groupEvents(events)) {
    const [first] = group
    if (first?.contract === 'channels') {
      const draft = draftChannels(
        group,
        (id) => channels.get(id),
        (account) => held.get(account) ?? 0n,
      )
      if (draft && (isWhole || !group.some((event) => event.name === 'CreditWithdrawn'))) add(draft, first.block)
      for (const { channelId, name, args } of group) {
        const known = channels.get(channelId ?? '')
        if (known && name === 'Claimed') channels.set(channelId ?? '', { ...known, claimed: BigInt(String(args.totalClaimed)) })
      }
      continue
    }
    const goalId = first?.planId ? goalOf.get(first.planId) : undefined
    if (first && goalId !== undefined)
      for (const draft of draftTransfers(goalId, group, (account) => held.get(account) ?? 0n))
        if (isWhole || !draft.key.startsWith('spend:')) add(draft, first.block)
    if (first?.planId !== null || !isWhole) continue
    for (const event of group) {
      if (event.name !== 'CreditWithdrawn') continue
      const { account } = event.args
      const draft = draftWithdrawal(event, { fees: held.get(`fees:${account}`) ?? 0n, credit: held.get(`credit:${account}`) ?? 0n })
      if (draft) add(draft, event.block)
    }
  }
  return drafts
}

/** Our channels among those that the log names, as they stood before it: an increment goes on from what we read before. */
async function bookedChannels(ctx: Context, events: readonly EscrowEvent[]): Promise<Map<string, BookedChannel>> {
  const ids = [...new Set(events.flatMap((event) => event.channelId ?? []))]
  const { chainId, channels } = ctx.market
  const rows = await ctx.db.channel.findMany({ where: { id: { in: ids }, contract: channels ?? '' } })
  const first = events.reduce((block, event) => Math.min(block, event.block), Number.POSITIVE_INFINITY)
  const before = Number.isFinite(first)
    ? await ctx.db.chainLog.findMany({ where: { chainId, channelId: { in: ids }, name: 'Claimed', block: { lt: first } } })
    : []
  const claimed = new Map<string, bigint>()
  for (const { channelId, args } of before) {
    const total = BigInt((args as { totalClaimed: string }).totalClaimed)
    if (channelId !== null && total > (claimed.get(channelId) ?? 0n)) claimed.set(channelId, total)
  }
  return new Map(rows.map(({ id, payer, receiver }) => [id, { payer, receiver, claimed: claimed.get(id) ?? 0n }]))
}

/** Entries in one form, whatever their order. */
export function fingerprint(entries: readonly LedgerEntry[]): string {
  return entries
    .map(({ account, debit, credit }) => `${account} ${debit} ${credit}`)
    .sort()
    .join('\n')
}
