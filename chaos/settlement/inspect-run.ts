import { createPublicClient, http, parseAbiItem } from 'viem'
import type { Context } from '../../server/context.ts'
import { listAlarms, reconcile } from '../../server/settlement/index.ts'
import { callPrice } from './channel-calls.ts'
import { faultKinds } from './fault-tally.ts'
import type { KillPlace } from './kill-workers.ts'
import type { RunContext } from './run-context.ts'
import { unrelatedAccounts } from './unrelated-accounts.ts'

/** The faults and the outcome of a run. */
export type RunFigures = {
  readonly seed: number
  readonly seconds: number
  /** How often each kind of fault happened. */
  readonly faults: { readonly [kind: string]: number }
  /** Planned faults that never happened, and failpoints without a kill. A run with any of them is void. */
  readonly missedKinds: readonly string[]
  readonly missedPoints: readonly string[]
  readonly payouts: number
  readonly cardPayouts: number
  readonly calls: number
  /** Of goals and channels without a fault: from acceptance to payment, without the time in which two nodes disagreed. */
  readonly longestDelaySeconds: number
  /** Including that time. */
  readonly longestWaitSeconds: number
  readonly measuredDelays: number
  readonly paidTwice: number
  readonly missing: number
  /** Transfers out of the contracts that the server did not request. */
  readonly unasked: number
  /** Accounts and contracts whose balance differs between the ledger and the token's log. */
  readonly ledgerDiffers: number
  /** Transfers, plans and channels that differ between ledger, chain and Stripe. */
  readonly unreconciled: number
  readonly notPosted: number
  /** Goals without exactly one payment event; after a reorg that removed the payment, at least one. */
  readonly wronglyNotified: number
  /** Subjects of dead letters that were not injected, or that were injected and not booked. */
  readonly strayDeadLetters: number
  readonly alarms: number
  /**
   * Violations that a fault has revealed: money that moved while two nodes disagreed, a log that was not read, a nonce that stayed
   * stuck.
   */
  readonly violations: readonly string[]
}

export const maxDelaySeconds = 60

type Flow = { readonly from: string; readonly to: string; readonly value: bigint }

/** Reads the chain and Stripe directly, and compares the books with them. */
export async function inspectRun(run: RunContext, died: ReadonlyMap<string, number>, places: readonly KillPlace[]): Promise<RunFigures> {
  const { system, environment, goals, cardGoals, channels, tally, profile, violations } = run
  const flows = await tokenFlows(run)
  const books = await reconcile(system)
  const escrow = escrowFaults(run, flows)
  const cards = cardFaults(run)
  const delays = run.progress.delays()
  const planned = faultKinds.filter((kind) => (profile.faults[kind] ?? 0) > 0)
  const apart = [books.onlyLedger, books.onlyChain, books.onlyStripe, books.differing, books.stripeDiffering, books.heldDiffering]
  return {
    seed: profile.seed,
    seconds: Math.round((Date.now() - run.startedAt) / 1_000),
    faults: tally.counts(),
    missedKinds: planned.filter((kind) => tally.count(kind) === 0),
    missedPoints: places.filter((place) => (died.get(place) ?? 0) === 0),
    payouts: goals.length * (goals[0]?.steps.length ?? 0),
    cardPayouts: cardGoals.reduce((all, goal) => all + goal.wanted.size, 0),
    calls: channels.reduce((all, one) => all + one.answered, 0),
    longestDelaySeconds: Math.round(Math.max(0, ...delays.map((one) => one.seconds))),
    longestWaitSeconds: Math.round(Math.max(0, ...delays.map((one) => one.whole))),
    measuredDelays: delays.length,
    paidTwice: escrow.paidTwice + cards.paidTwice,
    missing: escrow.missing + cards.missing + (await channelFaults(run)),
    unasked: escrow.unasked,
    ledgerDiffers: await differingAccounts(system, [environment.escrow, environment.channels], flows),
    unreconciled: apart.reduce((all, list) => all + list.length, 0),
    notPosted: await notPosted(system),
    wronglyNotified: await wronglyNotified(run),
    strayDeadLetters: await strayDeadLetters(run),
    alarms: (await listAlarms(system)).length,
    violations,
  }
}

/** The token's transfers into and out of the contracts, without those of unrelated accounts. */
async function tokenFlows({ environment }: RunContext): Promise<Flow[]> {
  const client = createPublicClient({ transport: http(environment.rpcUrl) })
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const logs = await client.getLogs({ address: environment.token, event, fromBlock: 0n, strict: true })
  const contracts = [environment.escrow, environment.channels].map((one) => one.toLowerCase())
  const flows = logs.map(({ args }) => ({ from: args.from.toLowerCase(), to: args.to.toLowerCase(), value: args.value }))
  return flows.filter(
    ({ from, to }) => contracts.includes(from) !== contracts.includes(to) && !unrelatedAccounts.some((one) => one === from || one === to),
  )
}

/** Compares each account of the ledger with the token's log, and each contract's balance. */
async function differingAccounts(system: Context, contracts: readonly string[], flows: readonly Flow[]): Promise<number> {
  const ours = new Set(contracts.map((one) => one.toLowerCase()))
  const onChain = new Map<string, bigint>()
  const add = (to: Map<string, bigint>, name: string, value: bigint) => to.set(name, (to.get(name) ?? 0n) + value)
  for (const { from, to, value } of flows) {
    add(onChain, ours.has(from) ? to : from, ours.has(from) ? value : -value)
    add(onChain, 'contracts', ours.has(to) ? value : -value)
  }
  const inLedger = new Map<string, bigint>()
  const entries = await system.db.ledgerEntry.findMany({ where: { asset: system.market.asset } })
  for (const { account, debit, credit } of entries) {
    const [kind = '', name = ''] = account.split(':')
    const isOutside = kind === 'client' || kind === 'payee' || kind === 'wallet'
    add(inLedger, isOutside ? name.toLowerCase() : 'contracts', debit - credit)
  }
  return [...new Set([...onChain.keys(), ...inLedger.keys()])].filter((name) => (onChain.get(name) ?? 0n) !== (inLedger.get(name) ?? 0n))
    .length
}

function escrowFaults({ goals, environment }: RunContext, flows: readonly Flow[]): { paidTwice: number; missing: number; unasked: number } {
  const payees = new Set(goals.flatMap((goal) => goal.steps.map((step) => step.payee as string)))
  const out = flows.filter(({ from, to }) => from === environment.escrow.toLowerCase() && payees.has(to))
  const times = new Map<string, number>()
  for (const { to, value } of out) times.set(`${to} ${value}`, (times.get(`${to} ${value}`) ?? 0) + 1)
  const wanted = goals.flatMap((goal) => goal.steps.map((step) => `${step.payee} ${step.amount}`))
  const asked = new Set(wanted)
  return {
    paidTwice: wanted.reduce((twice, key) => twice + Math.max(0, (times.get(key) ?? 0) - 1), 0),
    missing: wanted.filter((key) => !times.has(key)).length,
    unasked: [...times.keys()].filter((key) => !asked.has(key)).length,
  }
}

/** Compares Stripe's transfers of each goal with the expected ones, and the refunds to the client, each once. */
function cardFaults({ cardGoals, cardMarket }: RunContext): { paidTwice: number; missing: number } {
  const { transfers, refunds, charges } = cardMarket.double.context.state
  const publishers = new Set(cardMarket.publishers.map((one) => one.accountId))
  let [paidTwice, missing] = [0, 0]
  for (const { goalId, wanted } of cardGoals) {
    const own = transfers.filter((one) => one.transfer_group === goalId)
    for (const [account, cents] of wanted) {
      const sent = own.filter((one) => one.destination === account).reduce((sum, one) => sum + one.amount - one.amount_reversed, 0)
      if (sent < cents) missing++
      if (sent > cents) paidTwice++
    }
    const refunded = refunds.filter((one) => one.metadata?.goal_id === goalId && one.status === 'succeeded')
    const back = [...refunded, ...own.filter((one) => !publishers.has(one.destination))]
    if (back.length > 1) paidTwice++
    if (wanted.size === 1 && back.length === 0) missing++
    if (charges.filter((one) => one.transfer_group === goalId).length > 1) paidTwice++
  }
  return { paidTwice, missing }
}

/** Channels that were closed with another sum than the cost of their calls, read from the contract. */
async function channelFaults({ system, channels }: RunContext): Promise<number> {
  let faults = 0
  for (const { id, answered, calls } of channels) {
    const { status, claimed } = await system.ports.rail.channel(id)
    const row = await system.db.channel.findUnique({ where: { id } })
    const isRight = status === 2 && answered === calls && claimed === BigInt(answered) * callPrice && row?.state === 'closed'
    if (!isRight || row.claimed !== claimed) faults++
  }
  return faults
}

async function notPosted({ db }: Context): Promise<number> {
  const payouts = await db.payout.count({ where: { state: { notIn: ['paid', 'credited', 'refunded'] } } })
  const cards = await db.cardPayment.count({ where: { state: { notIn: ['posted', 'failed_final'] } } })
  return payouts + cards + (await db.stripeEvent.count({ where: { handledAt: null } }))
}

async function wronglyNotified({ system, goals, cardGoals, progress }: RunContext): Promise<number> {
  const events = await system.db.outboxEvent.findMany({ where: { type: 'hold.captured' } })
  const byGoal = Map.groupBy(events, (one) => (one.body as { goal_id: string }).goal_id)
  return [...goals, ...cardGoals].filter(({ goalId }) => {
    const times = byGoal.get(goalId)?.length ?? 0
    return progress.isConcerned(goalId) ? times === 0 : times !== 1
  }).length
}

async function strayDeadLetters({ system, planted }: RunContext): Promise<number> {
  const letters = await system.db.chainDeadLetter.findMany()
  const subjects = new Set(letters.map((one) => one.goalId ?? one.channelId ?? one.account ?? ''))
  const stray = [...subjects].filter((one) => !planted.has(one)).length
  const lost = [...planted].filter((one) => !subjects.has(one)).length
  return stray + lost + letters.filter((one) => one.state === 'open').length
}

/** Logs the state of each unpaid goal and channel for an investigation: its hold, and everything that was sent for it. */
export async function logUnpaid({ system, goals, cardGoals, channels, progress, log }: RunContext): Promise<void> {
  const goalIds = [...goals, ...cardGoals].map((goal) => goal.goalId)
  const holds = await system.db.hold.findMany({ where: { goalId: { in: goalIds }, state: { not: 'captured' } } })
  for (const { goalId, rail, state, failure, charterVersion } of holds)
    log(`${goalId} (${rail}) is ${state}, charter ${charterVersion}, ${failure ?? 'no failure'}`)
  const ids = channels.map((one) => one.id as string)
  const open = await system.db.channel.findMany({ where: { id: { in: ids }, state: { not: 'closed' } } })
  for (const one of open)
    log(`channel ${one.id} is ${one.state}, earned ${one.earned}, claimed ${one.claimed}, ${one.failure ?? 'no failure'}`)
  const slow = progress.delays().filter((one) => one.seconds > maxDelaySeconds / 2)
  for (const { id, seconds } of slow) log(`${id} took ${seconds.toFixed(1)} s`)
  const subjects = [...holds.map((one) => one.goalId), ...open.map((one) => one.id), ...slow.map((one) => one.id)]
  const where = { OR: [{ goalId: { in: subjects } }, { channelId: { in: subjects } }] }
  for (const one of await system.db.chainTransaction.findMany({ where, orderBy: { createdAt: 'asc' } })) {
    const retry = one.retryAt ? `, again at ${one.retryAt.toISOString()}` : ''
    const when = `${one.createdAt.toISOString()}, posted ${one.postedAt?.toISOString() ?? 'never'}`
    log(`  ${one.key} ${one.state}, nonce ${one.nonce}, ${one.attempt} of ${one.attempts}, ${one.failure ?? 'no failure'}${retry}; ${when}`)
  }
  const chains = [...holds.map((one) => `hold:${one.goalId}`), ...open.map((one) => `channel:${one.id}`)]
  for (const { at, chain, action, after } of await system.db.auditEntry.findMany({
    where: { chain: { in: chains } },
    orderBy: { n: 'asc' },
  }))
    log(`  ${at.toISOString()} ${chain} ${action} ${JSON.stringify(after)}`)
  const books = await reconcile(system)
  log(JSON.stringify(books, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)))
  for (const { kind, subject, facts } of await listAlarms(system)) log(`alarm ${kind} ${subject} ${JSON.stringify(facts)}`)
  for (const one of await system.db.cardPayment.findMany({ where: { state: { notIn: ['posted', 'failed_final'] } } }))
    log(`  ${one.key} ${one.state}, ${one.failure ?? 'no failure'}, again at ${one.retryAt?.toISOString() ?? 'once'}`)
}

/** All of these must be zero. */
export function faultsOf(figures: RunFigures): number {
  const { paidTwice, missing, unasked, ledgerDiffers, unreconciled, notPosted, wronglyNotified, strayDeadLetters, alarms, violations } =
    figures
  const late = figures.longestDelaySeconds > maxDelaySeconds ? 1 : 0
  return (
    paidTwice +
    missing +
    unasked +
    ledgerDiffers +
    unreconciled +
    notPosted +
    wronglyNotified +
    strayDeadLetters +
    alarms +
    violations.length +
    late
  )
}

export function isVoid({ missedKinds, missedPoints }: Pick<RunFigures, 'missedKinds' | 'missedPoints'>): boolean {
  return missedKinds.length + missedPoints.length > 0
}
