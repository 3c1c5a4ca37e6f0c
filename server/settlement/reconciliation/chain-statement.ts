import type { Context } from '../../context.ts'
import type { EscrowEvent } from '../../ports.ts'
import { readClaimedTotals } from '../chain-events/event-store.ts'
import { groupEvents } from '../chain-events/group-events.ts'
import { draftChannelTransfers, draftChannelWithdrawal } from '../ledger/draft-channel-transfers.ts'
import { draftPlanTransfers, draftWithdrawal } from '../ledger/draft-plan-transfers.ts'
import type { LedgerEntry, TransferDraft } from '../ledger/ledger.ts'

const rangeBlocks = 2_000

/** A ledger transfer derived from chain events alone, with its block. */
export type ChainTransferDraft = TransferDraft & { readonly block: number }

/** Fetches the contract events from the node, not from our index. */
export async function fetchEvents(ctx: Context, fromBlock: number, toBlock: number): Promise<EscrowEvent[]> {
  const events: EscrowEvent[] = []
  for (let from = fromBlock; from <= toBlock; from += rangeBlocks + 1)
    events.push(...(await ctx.ports.rail.readEvents(from, Math.min(toBlock, from + rangeBlocks))))
  return events
}

/**
 * Derives the ledger from chain events alone. Withdrawn or spent credit depends on all earlier credits, so it needs the full
 * history (`isWhole`).
 */
export async function draftChainStatement(ctx: Context, events: readonly EscrowEvent[], isWhole: boolean): Promise<ChainTransferDraft[]> {
  const holds = await ctx.db.hold.findMany({ where: { chainId: ctx.market.chainId }, select: { goalId: true, planId: true } })
  const goalOf = new Map<string | null, string>(holds.flatMap(({ planId, goalId }) => (planId === null ? [] : [[planId, goalId]])))
  const held = new Map<string, bigint>()
  const drafts: ChainTransferDraft[] = []
  const add = (draft: TransferDraft, block: number) => {
    for (const { account, debit, credit } of draft.entries) held.set(account, (held.get(account) ?? 0n) + debit - credit)
    drafts.push({ ...draft, block })
  }
  const balance = (account: string) => held.get(account) ?? 0n
  const channels = await ourChannels(ctx, events)
  const withdrawals = new Map<string, number>()
  for (const group of groupEvents(events, await readClaimedTotals(ctx, events))) {
    const [first] = group.events
    const goalId = goalOf.get(group.planId)
    const channel = channels.get(group.channelId ?? '')
    if (goalId !== undefined)
      for (const draft of draftPlanTransfers(goalId, group.events)) if (isWhole || !draft.key.startsWith('spend:')) add(draft, first.block)
    if (group.channelId !== null && channel)
      for (const draft of draftChannelTransfers(group.channelId, group.events, { ...channel, claimed: group.claimed }))
        add(draft, first.block)
    if (group.account === null || !isWhole) continue
    const counter = `${group.contract} ${group.account}`
    const nth = (withdrawals.get(counter) ?? 0) + 1
    withdrawals.set(counter, nth)
    const draft = draftAnyWithdrawal(first, balance, nth)
    if (draft) add(draft, first.block)
  }
  return drafts
}

function draftAnyWithdrawal(event: EscrowEvent, balance: (account: string) => bigint, nth: number): TransferDraft | null {
  const { account } = event.args
  if (event.contract === 'channels') return draftChannelWithdrawal(event, balance(`channel-credit:${account}`), nth)
  return draftWithdrawal(event, { fees: balance(`fees:${account}`), credit: balance(`credit:${account}`) }, nth)
}

/** The channels of this server that the events name. */
async function ourChannels(ctx: Context, events: readonly EscrowEvent[]): Promise<Map<string, { payer: string; receiver: string }>> {
  const ids = [...new Set(events.flatMap((event) => event.channelId ?? []))]
  const rows = await ctx.db.channel.findMany({ where: { id: { in: ids }, contract: ctx.market.channels ?? '' } })
  return new Map(rows.map(({ id, payer, receiver }) => [id, { payer, receiver }]))
}

/** Normalizes entries, independent of their order. */
export function entriesFingerprint(entries: readonly LedgerEntry[]): string {
  return entries
    .map(({ account, debit, credit }) => `${account} ${debit} ${credit}`)
    .sort()
    .join('\n')
}
