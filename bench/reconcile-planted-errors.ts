import { randomSeed } from '@parley/protocol'
import { composeServices } from '../server/compose.ts'
import type { Context } from '../server/context.ts'
import { readEnvironment } from '../server/env.ts'
import type { CardEntry, EscrowEvent, EscrowRail } from '../server/ports.ts'
import { type Reconciliation, runReconciliation } from '../server/settlement/index.ts'
import { developmentKeys } from '../test/support/development-keys.ts'

type Hex = `0x${string}`
const hex = (n: number, digits: number): Hex => `0x${n.toString(16).padStart(digits, '0')}`
const goalOf = (n: number) => `gol_${n.toString(16).padStart(32, '0')}`
const client = hex(1, 40)
const payee = hex(2, 40)
const paid = 700n
const total = 1_000n
const cents = 25n

/** The injected faults of the books, by goal or card payment: exactly these must be found. */
export type Planted = Pick<Reconciliation, 'onlyLedger' | 'onlyChain' | 'onlyStripe' | 'heldDiffering'> & {
  readonly differing: readonly string[]
  readonly stripeDiffering: readonly string[]
}

/** The faults that were found, and the duration of the reconciliation. */
export type Outcome = {
  readonly rows: number
  readonly ms: number
  readonly found: Planted
  readonly planted: Planted
  readonly again: number
}

/**
 * Creates a ledger of `rows` transfers, three in five on the chain and two in five by card, with one of each fault. Then it runs two
 * reconciliations.
 */
export async function reconcilePlanted(databaseUrl: string, rows: number): Promise<Outcome> {
  const world = await composeServices('hub', environmentOf(databaseUrl))
  try {
    const goals = Math.floor((rows * 3) / 10)
    const cards = rows - goals * 2
    const base = world.contextFor({ kind: 'system', name: 'jobs' })
    const ctx: Context = { ...base, ports: { ...base.ports, rail: railOf(base, goals) } }
    const planted = await writeBooks(ctx, goals, cards)
    const stripe = { listEntries: async () => stripeEntries(cards) }
    const startedAt = performance.now()
    const found = await runReconciliation(ctx, { mode: 'full', stripe })
    const ms = Math.round(performance.now() - startedAt)
    const again = performance.now()
    await runReconciliation(ctx, { mode: 'incremental', stripe })
    return {
      rows,
      ms,
      planted,
      found: {
        onlyLedger: [...found.onlyLedger].sort(),
        onlyChain: found.onlyChain,
        onlyStripe: found.onlyStripe,
        heldDiffering: [...found.heldDiffering].sort(),
        differing: found.differing.map((one) => one.key),
        stripeDiffering: found.stripeDiffering.map((one) => one.key),
      },
      again: Math.round(performance.now() - again),
    }
  } finally {
    await world.close()
  }
}

function environmentOf(databaseUrl: string) {
  const [settler = '', evaluator = ''] = developmentKeys
  return readEnvironment({
    DATABASE_URL: databaseUrl,
    CHAIN_RPC_URL: 'http://127.0.0.1:9',
    ESCROW_ADDRESS: hex(3, 40),
    TOKEN_ADDRESS: hex(4, 40),
    SETTLER_PRIVATE_KEY: settler,
    EVALUATOR_PRIVATE_KEY: evaluator,
    SERVER_SIGNING_KEY: randomSeed(),
    LOG_LEVEL: 'silent',
  })
}

/** A chain of one block a transaction: goal n is funded in block 2n + 1 and settled in the next. */
function railOf(ctx: Context, goals: number): EscrowRail {
  const blockHash = (block: number) => hex(block, 64)
  const event = (name: string, n: number, block: number, logIndex: number, args: EscrowEvent['args']): EscrowEvent => ({
    contract: 'escrow',
    name,
    planId: hex(n, 64),
    channelId: null,
    args: { planId: hex(n, 64), ...args },
    txHash: hex(block, 64),
    logIndex,
    block,
    blockHash: blockHash(block),
    at: 1_800_000_000 + block,
  })
  const log = Array.from({ length: goals }, (_, n) => [
    event('PlanFunded', n, 2 * n + 1, 0, { client, total: total.toString() }),
    event('StepsSettled', n, 2 * n + 2, 0, { bits: '1', conclusionHash: blockHash(0) }),
    event('PlanClosed', n, 2 * n + 2, 1, {}),
    event('Paid', n, 2 * n + 2, 2, { payee, amount: paid.toString() }),
    event('Refunded', n, 2 * n + 2, 3, { client, amount: (total - paid).toString() }),
  ]).flat()
  return {
    ...ctx.ports.rail,
    genesis: async () => blockHash(0),
    head: async () => ({ number: 2 * goals, hash: blockHash(2 * goals), timestamp: 0 }),
    blockHash: async (block) => blockHash(block),
    readEvents: async (from, to) => log.filter((one) => one.block >= from && one.block <= to),
    plan: async () => ({
      status: 2,
      remaining: 0n,
      version: 1,
      charter: 'authorized' as const,
      codes: 0n,
      closing: false,
      refusesProposals: false,
      payableFrom: 0,
      submitted: 0n,
    }),
  }
}

/** Stripe's own book: one transfer out for each card payment; number 4 is of another amount, number 5 is not there. */
function stripeEntries(cards: number): CardEntry[] {
  return Array.from({ length: cards }, (_, n) => ({
    id: `txn_${n}`,
    kind: 'transfer',
    amount: -(n === 4 ? cents + 1n : cents),
    fee: 0n,
    reference: `tr_${n}`,
  })).filter((_, n) => n !== 5)
}

type Entry = { account: string; asset: string; debit: bigint; credit: bigint }
type Transfer = { key: string; goalId: string | null; tx: string; entries: Entry[] }

async function writeBooks(ctx: Context, goals: number, cards: number): Promise<Planted> {
  const { asset, chainId, escrow, token } = ctx.market
  const now = ctx.clock.now()
  const move = (from: string, to: string, amount: bigint, of = asset): Entry[] => [
    { account: from, asset: of, debit: 0n, credit: amount },
    { account: to, asset: of, debit: amount, credit: 0n },
  ]
  const settled = (n: number, amount: bigint): Entry[] => [
    { account: `escrow:${goalOf(n)}`, asset, debit: 0n, credit: total },
    { account: `payee:${payee}`, asset, debit: amount, credit: 0n },
    { account: `client:${client}`, asset, debit: total - amount, credit: 0n },
  ]
  const settleKey = (n: number) => `settle:${goalOf(n)}:1`
  const transfers: Transfer[] = []
  for (let n = 0; n < goals; n++) {
    const goalId = goalOf(n)
    transfers.push({ key: `fund:${goalId}`, goalId, tx: hex(2 * n + 1, 64), entries: move(`client:${client}`, `escrow:${goalId}`, total) })
    // Goal 2's settlement was never booked; of goal 3 another amount was.
    if (n !== 2) transfers.push({ key: settleKey(n), goalId, tx: hex(2 * n + 2, 64), entries: settled(n, n === 3 ? paid + 1n : paid) })
  }
  // This one was never funded, neither on the chain nor by card.
  transfers.push({ key: 'fund:made_up', goalId: null, tx: hex(1, 64), entries: move(`client:${client}`, 'escrow:gol_made_up', 5n) })
  const usd = 'iso4217:USD'
  for (let n = 0; n < cards; n++) {
    // Stripe has one more than the ledger.
    if (n === 6) continue
    const entries = move(`card:${goalOf(n)}`, `payee:${payee}`, cents * 10_000n, usd)
    transfers.push({ key: `transfer:tr_${n}`, goalId: null, tx: `tr_${n}`, entries })
  }

  const hold = {
    rail: 'escrow' as const,
    state: 'captured' as const,
    asset,
    chainId,
    escrow,
    token,
    client,
    total,
    feeBps: 0,
    feeTo: client,
  }
  const terms = {
    evaluator: client,
    workBy: 1,
    reviewBy: 1,
    expiry: 2,
    arbitrator: hex(0, 40),
    onSilence: 0,
    briefHash: hex(0, 64),
    salt: '1',
    charterVersion: 1,
    captureBits: 1n,
  }
  const proofs = { conclusionHash: hex(0, 64), fundedTx: hex(1, 64), settledTx: hex(2, 64), createdAt: now, updatedAt: now }
  await ctx.db.chainCursor.create({
    data: { chainId, genesis: hex(0, 64), escrow: escrow.toLowerCase(), block: 0, blockHash: hex(0, 64) },
  })
  const chunk = 1_000
  for (let from = 0; from < goals; from += chunk) {
    const some = Array.from({ length: Math.min(chunk, goals - from) }, (_, index) => from + index)
    await ctx.db.hold.createMany({ data: some.map((n) => ({ goalId: goalOf(n), planId: hex(n, 64), ...hold, ...terms, ...proofs })) })
  }
  for (let from = 0; from < transfers.length; from += chunk) await post(ctx, transfers.slice(from, from + chunk), now)
  return {
    onlyLedger: ['fund:made_up', 'transfer:tr_5'],
    onlyChain: [settleKey(2)],
    onlyStripe: ['tr_6'],
    heldDiffering: [goalOf(2)],
    differing: [settleKey(3)],
    stripeDiffering: ['tr_4'],
  }
}

async function post(ctx: Context, transfers: readonly Transfer[], at: Date): Promise<void> {
  const rows = transfers.map((transfer) => ({ id: ctx.ids.next('led'), ...transfer }))
  await (ctx.db as ReturnType<typeof import('../server/db.ts').connectDatabase>).$transaction(async (tx) => {
    await tx.ledgerTransfer.createMany({
      data: rows.map(({ id, key, goalId, tx: hash, entries }) => ({ id, key, goalId, tx: hash, memo: '', at, lines: entries.length })),
    })
    await tx.ledgerEntry.createMany({
      data: rows.flatMap(({ id, entries }) => entries.map((entry, index) => ({ transferId: id, line: index + 1, ...entry }))),
    })
  })
}
