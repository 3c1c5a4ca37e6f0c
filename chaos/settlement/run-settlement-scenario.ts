import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { randomSeed } from '@parley/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { environment } from '../../server/env.ts'
import { liveStates } from '../../server/settlement/chain/transaction.ts'
import { indexEvents } from '../../server/settlement/index.ts'
import { seeded } from '../../test/support/random.ts'
import { mintTestMoney } from '../../test/support/test-money.ts'
import { startFaultyRpcProxy } from '../faulty-rpc-proxy.ts'
import { tallyStripe } from './card-faults.ts'
import { advanceCardGoals, openCardGoal, openCardMarket, startStripe, stripeSecret } from './card-goals.ts'
import { advanceChannels, noticeSeconds, openChannelMarket, quoteCalls } from './channel-calls.ts'
import { advanceGoals, largeTotal, openEscrowGoal } from './escrow-goals.ts'
import { createTally } from './fault-tally.ts'
import { startFaultyStripeProxy } from './faulty-stripe-proxy.ts'
import { injectFaults } from './inject-faults.ts'
import { inspectRun, logUnpaid, type RunFigures } from './inspect-run.ts'
import { killPlaces, killRepeatedly, planWorkerKills, startLastWorker, stopFaultsOfSlot } from './kill-workers.ts'
import { confirmations, mineAndDisruptChain } from './mine-and-disrupt-chain.ts'
import { openSettlementServices, type SettlementSettings } from './open-settlement-services.ts'
import { createPaymentProgress } from './payment-progress.ts'
import { refuseBookingInDatabase } from './refuse-booking-in-database.ts'
import { elapsedMs, isDrainOver, type RunContext, roundsOf, type Slot } from './run-context.ts'
import { workerLog } from './start-worker-process.ts'
import { createStuckNonces } from './stuck-nonces.ts'
import { type Profile, pollUntil, retryUntilDone, type TestEnvironment } from './test-environment.ts'

type Hex = `0x${string}`
const usdc = 20_000_000_000n
const maxGoals = 400
const callsPerChannel = 6

/**
 * Kills two workers at a time at every failpoint in turn. Meanwhile the chain reorganises, nodes answer falsely, and Stripe fails. All
 * goals on the escrow and on cards, and all channels with calls, must end paid once.
 */
export async function runSettlementScenario(
  environment: TestEnvironment,
  profile: Profile,
  log: (line: string) => void = () => {},
): Promise<RunFigures> {
  const closing: (() => unknown)[] = []
  fs.rmSync(workerLog, { force: true })
  try {
    const run = await setUp(environment, profile, { log, closing })
    return await runAll(run)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function setUp(
  environment: TestEnvironment,
  profile: Profile,
  { log, closing }: { log: RunContext['log']; closing: (() => unknown)[] },
): Promise<RunContext> {
  const random = seeded(profile.seed)
  const tally = createTally()
  const stripe = await startStripe()
  closing.push(() => stripe.close())
  const place = placeOf(environment, stripe.double.url)
  const client = privateKeyToAccount(environment.keys[2] ?? '0x')
  const chainOfMoney = {
    ...environment,
    keys: [...environment.keys],
    warp: async () => {},
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  await mintTestMoney(chainOfMoney, client.address.toLowerCase() as Hex, usdc)
  const { world, system } = await openSettlementServices(place)
  closing.push(() => world.close())
  await refuseBookingInDatabase(system)
  stripe.serve(system)
  const stuck = createStuckNonces(system.ports.rail.sender)
  const slots = [await startSlot(), await startSlot()]
  await callChain(environment.rpcUrl, 'evm_setAutomine', [false])
  const rounds = () => slots.reduce((sum, { worker }) => sum + (worker?.rounds() ?? 0), 0)
  const chain = mineAndDisruptChain(environment.rpcUrl, random, tally, rounds)
  closing.push(() => chain.stop().catch(() => {}))
  return {
    ...{ environment: environment, profile, random, place, system, tally, chain, stuck, slots, log },
    progress: createPaymentProgress(),
    cardMarket: await openCardMarket(world, system, stripe.double),
    channelMarket: await openChannelMarket(world, system, client),
    goals: [],
    cardGoals: [],
    channels: [],
    planted: new Set(),
    violations: [],
    startedAt: Date.now(),
    nodes: 1,
    pastRounds: 0,
    phase: 'chaos',
    drainFrom: null,
  }

  async function startSlot(): Promise<Slot> {
    const [first, second] = [await startFaultyRpcProxy(environment.rpcUrl, random), await startFaultyRpcProxy(environment.rpcUrl, random)]
    const before = await startFaultyStripeProxy(stripe.double.url, random)
    for (const node of [first, second]) node.instead = (call) => stuck.instead(call)
    closing.push(() => Promise.all([first, second, before].map((one) => one.close())))
    return { nodes: [first, second], stripe: before, worker: null, workerNodes: 1 }
  }
}

/**
 * Blocks are a hundred times as fast as Ethereum's, and rounds fifteen times as fast as the product's. The timeout of a nonce is
 * shortened accordingly.
 */
const scale = 15
const productMs = (name: 'CHAIN_REPLACE_AFTER_SECONDS' | 'CHAIN_CANCEL_AFTER_SECONDS') => environment.shape[name].parse(undefined) * 1_000

function placeOf(environment: TestEnvironment, stripeUrl: string): SettlementSettings {
  const [settlerKey = '0x', evaluatorKey = '0x', _client, arbitratorKey = '0x'] = environment.keys
  const { databaseUrl, rpcUrl, chainId, escrow, token, channels } = environment
  return {
    ...{ databaseUrl, rpcUrl, chainId, escrow, token, channels, stripeUrl, stripeSecret, confirmations },
    ...{ settlerKey, evaluatorKey, arbitratorKey },
    confirmingRpcUrl: null,
    serverKey: randomSeed(),
    depths: `${largeTotal}:${confirmations + 2}`,
    replaceAfterMs: productMs('CHAIN_REPLACE_AFTER_SECONDS') / scale,
    cancelAfterMs: productMs('CHAIN_CANCEL_AFTER_SECONDS') / scale,
    timeoutMs: 2_000,
  }
}

async function runAll(run: RunContext): Promise<RunFigures> {
  const { chain, slots, profile, log, tally } = run
  tallyStripe(run)
  const places = killPlaces(profile.points)
  const plan = planWorkerKills(run, places)
  const posting = Promise.all([post(run), postCards(run), postChannels(run)])
  posting.catch(() => {})
  const killing = Promise.all(slots.map((slot) => killRepeatedly(run, slot, plan)))
  await injectFaults(run)
  while (elapsedMs(run) < profile.limitMs && (elapsedMs(run) < profile.chaosMs || places.some((at) => !plan.died.has(at)))) await pause(100)
  run.phase = 'drain'
  await killing
  run.drainFrom = { at: Date.now(), rounds: roundsOf(run) }
  chain.calmDown()
  for (const slot of slots) stopFaultsOfSlot(slot)
  await run.cardMarket.double.webhookSender.flush()
  log(`${tally.count('kill')} workers killed in ${Math.round(elapsedMs(run) / 1_000)} s; the rest is left to finish`)
  const last = slots.map((slot) => startLastWorker(run, slot))
  await posting
  await chain.warp(noticeSeconds + 60)
  run.drainFrom = { at: Date.now(), rounds: roundsOf(run) }
  await untilQuiet(run)
  run.phase = 'over'
  await Promise.all(last.map((worker) => worker.kill()))
  noteNodes(run)
  const lost = chain.failure()
  if (lost !== null) run.violations.push(`the node mined no more blocks: ${lost}`)
  await retryUntilDone(() => indexEvents(run.system))
  await logUnpaid(run)
  return inspectRun(run, plan.died, places)
}

/** The random faults of the proxies. */
function noteNodes({ slots, tally }: RunContext): void {
  const kinds = {
    refused: 'rpc_refused',
    stalled: 'rpc_no_answer',
    'answers lost': 'rpc_answer_lost',
    'answers to broadcasts lost': 'rpc_answer_lost_after_broadcast',
    'receipts withheld': 'rpc_behind',
    'nonces of the past': 'rpc_behind',
    'logs withheld': 'rpc_behind',
    'sent twice, at once': 'rpc_sent_twice',
    'sent twice, once mined': 'rpc_sent_twice',
  } as const
  for (const node of slots.flatMap((slot) => slot.nodes))
    for (const [what, times] of node.done) if (what in kinds) tally.note(kinds[what as keyof typeof kinds], times)
}

/** The goals module: goals are posted, submitted and accepted. */
async function post(run: RunContext): Promise<void> {
  const { system, goals, profile, environment, progress } = run
  const client = privateKeyToAccount(environment.keys[2] ?? '0x')
  const payees = environment.keys.slice(4, 8).map((key) => privateKeyToAccount(key).address.toLowerCase() as Hex)
  await keepPosting(run, {
    push: async () => (await advanceGoals(system, goals, environment.keys, progress)).paid,
    count: () => goals.length,
    max: { open: profile.inFlight, min: profile.goals, all: maxGoals },
    add: async () => void goals.push(await openEscrowGoal(system, client, payees, goals.length)),
  })
}

async function postCards(run: RunContext): Promise<void> {
  const { system, cardGoals, cardMarket, profile, progress } = run
  await keepPosting(run, {
    push: async () => (await advanceCardGoals(system, cardMarket, cardGoals, progress)).paid,
    count: () => cardGoals.length,
    max: { open: profile.cardGoals, min: profile.cardGoals, all: maxGoals },
    add: async () => void cardGoals.push(await openCardGoal(system, cardMarket, cardGoals.length)),
  })
}

async function postChannels(run: RunContext): Promise<void> {
  const { system, channels, channelMarket, profile, progress } = run
  await keepPosting(run, {
    push: async () => (await advanceChannels(system, channelMarket, channels, progress)).done,
    count: () => channels.length,
    max: { open: profile.channels, min: profile.channels, all: maxGoals },
    add: async () => void channels.push(await retryUntilDone(() => quoteCalls(channelMarket, callsPerChannel))),
  })
}

type Posting = {
  readonly push: () => Promise<number>
  readonly count: () => number
  readonly max: { readonly open: number; readonly min: number; readonly all: number }
  readonly add: () => Promise<void>
}

/** Adds what there is room for as long as there is chaos, and pushes all of it until it is done. */
async function keepPosting(run: RunContext, { push, count, max, add }: Posting): Promise<void> {
  const { profile } = run
  while (elapsedMs(run) < profile.limitMs + profile.maxDrainMs && !isDrainOver(run)) {
    // The database may be away, and the next round comes.
    const done = await push().catch(() => null)
    const wantsMore = count() < max.min || (run.phase === 'chaos' && count() < max.all)
    if (done !== null && wantsMore && count() - done < max.open) await add().catch(() => {})
    else if (run.phase === 'drain' && done === count()) return
    else await pause(120)
  }
}

async function untilQuiet(run: RunContext): Promise<void> {
  const { system, profile } = run
  const live = [...liveStates, 'final' as const]
  await pollUntil(profile.maxDrainMs, async () => {
    if (isDrainOver(run)) return true
    const open = await system.db.chainTransaction.count({ where: { state: { in: live } } })
    const cards = await system.db.cardPayment.count({ where: { state: { notIn: ['posted', 'failed_final'] } } })
    const notices = await system.db.stripeEvent.count({ where: { handledAt: null } })
    const alarms = await system.db.chainAlarm.count()
    const channels = await system.db.channel.count({ where: { state: { not: 'closed' } } })
    return open + cards + notices + alarms + channels === 0
  })
}
