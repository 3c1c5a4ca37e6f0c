import { createPublicClient, http, parseAbiItem } from 'viem'
import type { Context } from '../../server/context.ts'
import { reconcile } from '../../server/settlement/index.ts'
import type { PaidGoal } from './goals.ts'
import type { Ground } from './scenario.ts'

/** What happened, and what came of it. */
export type Happened = {
  readonly seconds: number
  readonly kills: number
  /** How many deaths were wanted at each place, and how many there were. */
  readonly points: { readonly [where: string]: { readonly planned: number; readonly happened: number } }
  /** Workers that did not come to their place in time, and were killed wherever they were. */
  readonly elsewhere: number
  readonly clock_jumps: number
  readonly reorgs: number
  readonly surges: number
  /** How often the node forgot the transactions that waited. */
  readonly drops: number
  readonly faults: { readonly [what: string]: number }
}
export type Figures = Happened & {
  readonly payouts: number
  readonly paid_twice: number
  readonly missing: number
  /** Transfers out of the escrow that nothing of ours asked for. */
  readonly unasked: number
  /** Payees whose ledger account is not what the chain's Transfer logs say. */
  readonly ledger_differs: number
  /** Transfers that only one of ledger and escrow log has, or that differ; and plans whose remainder does. */
  readonly unreconciled: number
  readonly not_posted: number
  /** Goals that were told of their payment another number of times than once. */
  readonly told_wrong: number
  readonly replaced_fees: number
}

/** Asks the chain itself, and holds the books against what it says. */
export async function inspect(system: Context, ground: Ground, goals: readonly PaidGoal[], happened: Happened): Promise<Figures> {
  const client = createPublicClient({ transport: http(ground.rpcUrl) })
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const logs = await client.getLogs({ address: ground.token, event, args: { from: ground.escrow }, fromBlock: 0n, strict: true })
  const payees = new Set(goals.flatMap((goal) => goal.steps.map((step) => step.payee as string)))
  const out = logs.map((log) => ({ to: log.args.to.toLowerCase(), value: log.args.value })).filter((one) => payees.has(one.to))
  const times = new Map<string, number>()
  for (const { to, value } of out) times.set(`${to} ${value}`, (times.get(`${to} ${value}`) ?? 0) + 1)
  const wanted = goals.flatMap((goal) => goal.steps.map((step) => `${step.payee} ${step.amount}`))
  const asked = new Set(wanted)

  const books = await reconcile(system)
  const entries = await system.db.ledgerEntry.findMany({ where: { account: { startsWith: 'payee:' } } })
  const differs = [...payees].filter((payee) => {
    const booked = entries.reduce((all, entry) => (entry.account === `payee:${payee}` ? all + entry.debit - entry.credit : all), 0n)
    return booked !== out.reduce((all, one) => (one.to === payee ? all + one.value : all), 0n)
  })
  const events = await system.db.outboxEvent.findMany({ where: { type: 'hold.captured' } })
  const told = Map.groupBy(events, (one) => (one.body as { goal_id: string }).goal_id)
  return {
    ...happened,
    payouts: wanted.length,
    paid_twice: wanted.reduce((twice, key) => twice + Math.max(0, (times.get(key) ?? 0) - 1), 0),
    missing: wanted.filter((key) => !times.has(key)).length,
    unasked: [...times.keys()].filter((key) => !asked.has(key)).length,
    ledger_differs: differs.length,
    unreconciled: books.onlyLedger.length + books.onlyChain.length + books.differing.length + books.heldDiffering.length,
    not_posted: await system.db.payout.count({ where: { state: { notIn: ['paid', 'credited'] } } }),
    told_wrong: goals.filter((goal) => told.get(goal.goalId)?.length !== 1).length,
    replaced_fees: await system.db.chainCandidate.count({ where: { n: { gt: 1 } } }),
  }
}

/** What became of each goal that was not paid, for who looks into it: its hold, and all that was sent for it. */
export async function tellUnpaid(system: Context, goals: readonly PaidGoal[], say: (line: string) => void): Promise<void> {
  const goalIds = goals.map((goal) => goal.goalId)
  const holds = await system.db.hold.findMany({ where: { goalId: { in: goalIds }, state: { not: 'captured' } } })
  for (const { goalId, state, failure, charterVersion } of holds) {
    say(`${goalId} is ${state}, charter ${charterVersion}, ${failure ?? 'no failure'}`)
    for (const one of await system.db.chainTransaction.findMany({ where: { goalId }, orderBy: { createdAt: 'asc' } })) {
      const retry = one.retryAt ? `, again at ${one.retryAt.toISOString()}` : ''
      say(`  ${one.key} ${one.state}, nonce ${one.nonce}, ${one.attempt} of ${one.attempts}, ${one.failure ?? 'no failure'}${retry}`)
    }
  }
}

/** All that must be zero. */
export function faultsOf(figures: Figures): number {
  const { paid_twice, missing, unasked, ledger_differs, unreconciled, not_posted, told_wrong } = figures
  return paid_twice + missing + unasked + ledger_differs + unreconciled + not_posted + told_wrong
}

/** The places where nobody died. */
export function missedPoints({ points }: Pick<Figures, 'points'>): string[] {
  return Object.entries(points).flatMap(([where, { happened }]) => (happened === 0 ? [where] : []))
}
