import { type HoldState, holdTransitions } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { EscrowEvent } from '../ports.ts'
import { draftTransfers, draftWithdrawal, type LedgerDraft, type LedgerEntry } from './ledger.ts'
import { balancesOf } from './post-ledger.ts'
import { groupEvents } from './read-chain.ts'
import { requireChain } from './require-chain.ts'

const rangeBlocks = 2_000

export type Difference = { readonly key: string; readonly ledger: readonly LedgerEntry[]; readonly chain: readonly LedgerEntry[] }
export type Reconciliation = {
  /** How many transfers stand on both sides with the same entries. */
  readonly matched: number
  /** Keys of transfers that only one side knows. */
  readonly onlyLedger: readonly string[]
  readonly onlyChain: readonly string[]
  readonly differing: readonly Difference[]
  /** What open plans hold, by the ledger and by the contract's own words. */
  readonly heldInLedger: bigint
  readonly heldOnChain: bigint
  /** Goals where those two differ. */
  readonly heldDiffering: readonly string[]
}

/**
 * Compares the ledger with the chain three ways: with the escrow's log, asked for anew and not as we remember it, and with
 * what the contract says it holds for each plan. Changes nothing. What the chain has and we have not read yet counts as
 * `onlyChain`: read first.
 */
export async function reconcile(ctx: Context): Promise<Reconciliation> {
  await requireChain(ctx)
  const rows = await ctx.db.hold.findMany({ where: { chainId: ctx.market.chainId }, select: { goalId: true, planId: true, state: true } })
  const holds = rows.map((row) => ({ ...row, planId: row.planId ?? '' }))
  const goalOf = new Map(holds.map((hold) => [hold.planId, hold.goalId]))
  const onChain = new Map(draftAll(await readAll(ctx), goalOf).map((draft) => [draft.key, draft]))
  const inLedger = new Map((await readLedger(ctx)).map((draft) => [draft.key, draft]))

  const both = [...inLedger.values()].filter((draft) => onChain.has(draft.key))
  const differing = both
    .map(({ key, entries }) => ({ key, ledger: entries, chain: onChain.get(key)?.entries ?? [] }))
    .filter(({ ledger, chain }) => fingerprint(ledger) !== fingerprint(chain))
  const held = await compareHeld(ctx, holds)
  return {
    matched: both.length - differing.length,
    onlyLedger: [...inLedger.keys()].filter((key) => !onChain.has(key)),
    onlyChain: [...onChain.keys()].filter((key) => !inLedger.has(key)),
    differing,
    ...held,
  }
}

/** The escrow's log since the first block that we know an event of ours in. */
async function readAll(ctx: Context): Promise<EscrowEvent[]> {
  const { rail } = ctx.ports
  const { chainId } = ctx.market
  const oldest = await ctx.db.chainLog.findFirst({ where: { chainId }, orderBy: { block: 'asc' }, select: { block: true } })
  const cursor = await ctx.db.chainCursor.findUniqueOrThrow({ where: { chainId } })
  const last = (await rail.head()).number - rail.confirmations
  const events: EscrowEvent[] = []
  for (let from = oldest?.block ?? cursor.block; from <= last; from += rangeBlocks + 1)
    events.push(...(await rail.readEvents(from, Math.min(last, from + rangeBlocks))))
  return events
}

/** The ledger as the chain's log alone would have it. */
function draftAll(events: readonly EscrowEvent[], goalOf: ReadonlyMap<string, string>): LedgerDraft[] {
  const drafts: LedgerDraft[] = []
  const held = (account: string) =>
    drafts
      .flatMap((draft) => draft.entries)
      .reduce((sum, entry) => (entry.account === account ? sum + entry.debit - entry.credit : sum), 0n)
  for (const group of groupEvents(events)) {
    const planId = group[0]?.planId
    const goalId = planId ? goalOf.get(planId) : undefined
    if (goalId !== undefined) drafts.push(...draftTransfers(goalId, group, held))
    if (planId) continue
    for (const event of group) {
      if (event.name !== 'CreditWithdrawn') continue
      const { account } = event.args
      const draft = draftWithdrawal(event, { fees: held(`fees:${account}`), credit: held(`credit:${account}`) })
      if (draft) drafts.push(draft)
    }
  }
  return drafts
}

async function readLedger(ctx: Context): Promise<Pick<LedgerDraft, 'key' | 'entries'>[]> {
  const rows = await ctx.db.ledgerTransfer.findMany({
    where: { entries: { some: { asset: ctx.market.asset } } },
    include: { entries: { where: { asset: ctx.market.asset } } },
  })
  return rows.map((row) => ({
    key: row.key,
    entries: row.entries.map((entry) => ({ ...entry, account: entry.account as LedgerEntry['account'] })),
  }))
}

function fingerprint(entries: readonly LedgerEntry[]): string {
  const lines = entries.map(({ account, debit, credit }) => `${account} ${debit} ${credit}`)
  return lines.sort().join('\n')
}

async function compareHeld(
  ctx: Context,
  holds: readonly { readonly goalId: string; readonly planId: string; readonly state: HoldState }[],
): Promise<Pick<Reconciliation, 'heldInLedger' | 'heldOnChain' | 'heldDiffering'>> {
  const ledger = await balancesOf(ctx, { prefix: 'escrow:' })
  let [heldInLedger, heldOnChain] = [0n, 0n]
  const heldDiffering: string[] = []
  for (const { goalId, planId, state } of holds) {
    const inLedger = ledger.get(`escrow:${goalId}`) ?? 0n
    // A closed plan stays closed: the contract is asked only about what it could still hold.
    if (inLedger === 0n && holdTransitions[state].length === 0) continue
    const { remaining } = await ctx.ports.rail.plan(planId as `0x${string}`)
    heldInLedger += inLedger
    heldOnChain += remaining
    if (inLedger !== remaining) heldDiffering.push(goalId)
  }
  return { heldInLedger, heldOnChain, heldDiffering }
}
