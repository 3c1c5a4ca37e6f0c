import { channelTransitions, holdTransitions } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { getFinalizedBlock } from '../chain/get-finalized-block.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import { factKeyOf, getBalances } from '../ledger/ledger-store.ts'
import { type ChainTransferDraft, draftChainStatement, entriesFingerprint, fetchEvents } from './chain-statement.ts'
import { compareCredits } from './compare-credits.ts'
import { matchStatementLines } from './match-statement-lines.ts'
import type { Reconciliation } from './reconciliation.ts'
import { type Checkpoint, findCheckpoint } from './reconciliation-store.ts'
import { draftStripeStatement, readStripeStatement, type StripeStatementSource } from './stripe-statement.ts'

export type ReconcileOptions = {
  /** `incremental`: trusts earlier matches and starts at the last checkpoint. */
  readonly mode?: 'full' | 'incremental'
  /** Source of Stripe's statement. Unset: the card rail, if cards are enabled. */
  readonly stripe?: StripeStatementSource | null
}

const cardDelaySeconds = 3 * 86_400
/** Maximum number of concurrent contract queries. */
const maxPlansPerRead = 16

/**
 * Reconciles the ledger with freshly fetched contract events, with the contracts' balances and with Stripe's balance. Read-only.
 * Events that are not indexed yet appear as `onlyChain`, so index first.
 */
export async function reconcile(ctx: Context, options: ReconcileOptions = {}): Promise<Reconciliation> {
  return (await compareAll(ctx, options)).found
}

/** As `reconcile`, and stores the report and the checkpoint for the next incremental run. */
export async function runReconciliation(
  ctx: Context,
  options: ReconcileOptions = {},
): Promise<Reconciliation & { readonly isBalanced: boolean }> {
  const startedAt = performance.now()
  const { found, mode, fromBlock, toBlock, balancedBlock, matchedIds } = await compareAll(ctx, options)
  const balancedBlockHash = (await ctx.ports.rail.blockHash(balancedBlock)) ?? ''
  const isBalanced = isFullyMatched(found)
  await inTransaction(ctx, async (tx) => {
    const id = tx.ids.uuid()
    const report = JSON.parse(
      JSON.stringify(found, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    ) as object
    const durationMs = Math.round(performance.now() - startedAt)
    const { chainId } = tx.market
    const at = tx.clock.now()
    await tx.db.reconciliation.create({
      data: {
        id,
        at,
        mode,
        chainId,
        durationMs,
        fromBlock,
        toBlock,
        balancedBlock,
        balancedBlockHash,
        matched: found.matched,
        isBalanced,
        report,
      },
    })
    await tx.db.reconciledTransfer.createMany({
      data: matchedIds.map((transferId) => ({ transferId, reconciliationId: id })),
      skipDuplicates: true,
    })
  })
  return { ...found, isBalanced }
}

function isFullyMatched(found: Reconciliation): boolean {
  const { onlyLedger, onlyChain, onlyStripe, differing, stripeDiffering, heldDiffering } = found
  return [onlyLedger, onlyChain, onlyStripe, differing, stripeDiffering, heldDiffering].every((list) => list.length === 0)
}

type Comparison = {
  readonly found: Reconciliation
  readonly mode: 'full' | 'incremental'
  readonly fromBlock: number
  readonly toBlock: number
  /** Everything matches up to this block. */
  readonly balancedBlock: number
  readonly matchedIds: readonly string[]
}

async function compareAll(ctx: Context, options: ReconcileOptions): Promise<Comparison> {
  await verifyNetwork(ctx)
  const { rail } = ctx.ports
  const toBlock = await getFinalizedBlock(rail, (await rail.head()).number)
  const checkpoint = options.mode === 'incremental' ? await usableCheckpoint(ctx) : null
  const fromBlock = checkpoint === null ? await firstBlock(ctx) : checkpoint.block + 1
  const drafts = await draftChainStatement(ctx, await fetchEvents(ctx, fromBlock, toBlock), checkpoint === null)
  const transfers = await loadLedgerRows(ctx, checkpoint, drafts)

  const onChain = new Map(drafts.map((draft) => [draft.key, draft]))
  const chainSide = transfers.filter((one) => one.isOnChain)
  const inLedger = new Map(chainSide.map((one) => [one.key, one]))
  const chain = matchStatementLines(
    chainSide.map(({ key, entries }) => ({ key, lines: entriesFingerprint(entries) })),
    drafts.map(({ key, entries }) => ({ key, lines: entriesFingerprint(entries) })),
  )
  // An incremental run lacks the history that credits depend on, so it does not judge them.
  const isJudged = (key: string) => checkpoint === null || !/^(withdrawn|spend):/.test(key)
  const stripe = await compareStripe(ctx, options, checkpoint, transfers)
  const held = await compareHeld(ctx)
  const credits = await compareCredits(ctx, checkpoint === null)
  const differing = chain.differing.filter(({ key }) => isJudged(key))
  const matchedKeys = [...chain.matched, ...stripe.matchedKeys]
  const found: Reconciliation = {
    matched: matchedKeys.length,
    onlyLedger: [...chain.onlyLedger.filter(isJudged), ...stripe.onlyLedger],
    onlyChain: chain.onlyExternal,
    onlyStripe: stripe.onlyStripe,
    differing: differing.map(({ key }) => ({ key, ledger: inLedger.get(key)?.entries ?? [], chain: onChain.get(key)?.entries ?? [] })),
    stripeDiffering: stripe.differing,
    ...held,
    heldDiffering: [...held.heldDiffering, ...credits],
  }
  const mismatched = drafts.filter(({ key }) => chain.onlyExternal.includes(key) || differing.some((one) => one.key === key))
  const balancedBlock = Math.max(0, Math.min(toBlock, ...mismatched.map(({ block }) => block - 1)))
  const idOf = new Map(transfers.map(({ key, id }) => [key, id]))
  const matchedIds = matchedKeys.flatMap((key) => idOf.get(key) ?? [])
  return { found, mode: checkpoint === null ? 'full' : 'incremental', fromBlock, toBlock, balancedBlock, matchedIds }
}

/** The last checkpoint, if the chain still has its block. */
async function usableCheckpoint(ctx: Context): Promise<Checkpoint | null> {
  const checkpoint = await findCheckpoint(ctx)
  if (checkpoint === null || (await ctx.ports.rail.blockHash(checkpoint.block)) !== checkpoint.blockHash) return null
  return checkpoint
}

/** The first block with an event of ours. */
async function firstBlock(ctx: Context): Promise<number> {
  const { chainId } = ctx.market
  const oldest = await ctx.db.chainLog.findFirst({ where: { chainId }, orderBy: { block: 'asc' }, select: { block: true } })
  return oldest?.block ?? (await ctx.db.chainCursor.findUniqueOrThrow({ where: { chainId } })).block
}

type LedgerRow = {
  readonly id: string
  readonly key: string
  readonly tx: string | null
  readonly isOnChain: boolean
  readonly entries: readonly LedgerEntry[]
}

/** The ledger transfers to compare: all, or only those not matched before and those of refetched events. */
async function loadLedgerRows(ctx: Context, checkpoint: Checkpoint | null, drafts: readonly ChainTransferDraft[]): Promise<LedgerRow[]> {
  const again = [...new Set(drafts.map((draft) => draft.tx))]
  // A reversed transfer and its reversal cancel out.
  const isStanding = { reversesId: null, reversal: null }
  const rows = await ctx.db.ledgerTransfer.findMany({
    where: { ...isStanding, ...(checkpoint === null ? {} : { OR: [{ reconciled: null }, { tx: { in: again } }] }) },
    include: { entries: true },
  })
  return rows.map(({ id, key, tx, entries }) => ({
    id,
    key: factKeyOf(key),
    tx,
    isOnChain: entries.every((entry) => entry.asset === ctx.market.asset),
    entries: entries.map((entry) => ({ ...entry, account: entry.account as LedgerEntry['account'] })),
  }))
}

async function compareStripe(ctx: Context, options: ReconcileOptions, checkpoint: Checkpoint | null, transfers: readonly LedgerRow[]) {
  const book = options.stripe === undefined ? ctx.ports.cards : options.stripe
  const ours = transfers.filter((one) => !one.isOnChain)
  if (!book) return { matchedKeys: [], onlyLedger: ours.map((one) => one.key), onlyStripe: [], differing: [] }
  const oldest = await ctx.db.ledgerTransfer.findFirst({
    where: { tx: { startsWith: 'pi_' } },
    orderBy: { at: 'asc' },
    select: { at: true },
  })
  const since = checkpoint?.at ?? oldest?.at ?? ctx.clock.now()
  const external = await readStripeStatement(ctx, book, Math.floor(since.getTime() / 1_000) - cardDelaySeconds)
  const known = await ctx.db.ledgerTransfer.findMany({
    where: { tx: { in: external.map((one) => one.key) }, id: { notIn: ours.map((one) => one.id) } },
    include: { entries: true },
  })
  const compared = matchStatementLines(draftStripeStatement([...ours, ...known]), external)
  const keysOf = Map.groupBy(ours, (one) => one.tx ?? '')
  const keys = (objects: readonly string[]) => objects.flatMap((object) => keysOf.get(object)?.map((one) => one.key) ?? [])
  // Transfers between our own accounts do not appear at Stripe, so they match.
  const moved = new Set([...compared.matched, ...compared.onlyLedger, ...compared.differing.map((one) => one.key)])
  const within = ours.filter((one) => !moved.has(one.tx ?? '')).map((one) => one.key)
  return {
    matchedKeys: [...keys(compared.matched), ...within],
    onlyLedger: keys(compared.onlyLedger),
    onlyStripe: compared.onlyExternal,
    differing: compared.differing,
  }
}

async function compareHeld(ctx: Context): Promise<Pick<Reconciliation, 'heldInLedger' | 'heldOnChain' | 'heldDiffering'>> {
  const holds = await ctx.db.hold.findMany({ where: { chainId: ctx.market.chainId }, select: { goalId: true, planId: true, state: true } })
  const ledger = await getBalances(ctx, { prefix: 'escrow:' })
  // A closed plan stays closed, so the contract is queried only for open ones.
  const open = holds.filter(({ goalId, state }) => (ledger.get(`escrow:${goalId}`) ?? 0n) !== 0n || holdTransitions[state].length > 0)
  let [heldInLedger, heldOnChain] = [0n, 0n]
  const heldDiffering: string[] = []
  for (let from = 0; from < open.length; from += maxPlansPerRead) {
    const some = open.slice(from, from + maxPlansPerRead)
    const plans = await Promise.all(some.map(({ planId }) => ctx.ports.rail.plan(planId as `0x${string}`)))
    for (const [index, { goalId }] of some.entries()) {
      const inLedger = ledger.get(`escrow:${goalId}`) ?? 0n
      const remaining = plans[index]?.remaining ?? 0n
      heldInLedger += inLedger
      heldOnChain += remaining
      if (inLedger !== remaining) heldDiffering.push(goalId)
    }
  }
  for (const { id, inLedger, onChain } of await heldInChannels(ctx)) {
    heldInLedger += inLedger
    heldOnChain += onChain
    if (inLedger !== onChain) heldDiffering.push(id)
  }
  return { heldInLedger, heldOnChain, heldDiffering }
}

/** Balances of channels with a ledger balance or without a final state. */
async function heldInChannels(ctx: Context): Promise<{ id: string; inLedger: bigint; onChain: bigint }[]> {
  const { chainId, channels } = ctx.market
  if (channels === null) return []
  const rows = await ctx.db.channel.findMany({ where: { chainId, contract: channels }, select: { id: true, state: true } })
  const ledger = await getBalances(ctx, { prefix: 'channel:' })
  const open = rows.filter(({ id, state }) => (ledger.get(`channel:${id}`) ?? 0n) !== 0n || channelTransitions[state].length > 0)
  const held: { id: string; inLedger: bigint; onChain: bigint }[] = []
  for (let from = 0; from < open.length; from += maxPlansPerRead) {
    const some = open.slice(from, from + maxPlansPerRead)
    const states = await Promise.all(some.map(({ id }) => ctx.ports.rail.channel(id as `0x${string}`)))
    for (const [index, { id }] of some.entries()) {
      const onChain = states[index]
      held.push({ id, inLedger: ledger.get(`channel:${id}`) ?? 0n, onChain: onChain ? onChain.deposit - onChain.claimed : 0n })
    }
  }
  return held
}
