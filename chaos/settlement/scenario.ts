import { setTimeout as pause } from 'node:timers/promises'
import { randomSeed } from '@parley/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { environment } from '../../server/env.ts'
import { liveStates } from '../../server/settlement/chain/transaction.ts'
import { indexEvents } from '../../server/settlement/index.ts'
import { mintTestMoney } from '../../test/support/money.ts'
import { seeded } from '../../test/support/random.ts'
import { startRpcProxy } from '../rpc-proxy.ts'
import { tallyStripe } from './card-faults.ts'
import { openCardGoal, openCardMarket, pushCardGoals, startStripe, stripeSecret } from './card-goals.ts'
import { noticeSeconds, openChannelMarket, pushChannels, quoteCalls } from './channel-calls.ts'
import { largeTotal, openEscrowGoal, pushGoals } from './escrow-goals.ts'
import { createTally } from './fault-tally.ts'
import { injectFaults } from './inject-faults.ts'
import { calmSlot, hireLast, keepKilling, killPlaces, planWorkerKills } from './kill-workers.ts'
import { confirmations, mineAndDisruptChain } from './mine-and-disrupt-chain.ts'
import { openSettlementServices, type Place } from './open-settlement-services.ts'
import { createPaymentProgress } from './payment-progress.ts'
import { installBookingRefusal } from './refuse-booking.ts'
import { elapsedMs, isDrainOver, type RunContext, roundsOf, type Slot } from './run-context.ts'
import { inspect, type RunFigures, tellUnpaid } from './run-figures.ts'
import { startStripeProxy } from './stripe-proxy.ts'
import { createStuckNonces } from './stuck-nonces.ts'
import { type Profile, steadily, type TestEnvironment, within } from './test-environment.ts'

type Hex = `0x${string}`
const usdc = 20_000_000_000n
const maxGoals = 400
const callsPerChannel = 6

/**
 * Two workers at once, killed at every place in turn, on a chain that is rewritten and behind nodes that lie, with a Stripe that
 * fails: goals on the escrow and on cards, and channels with calls, all of which have to end paid once.
 */
export async function runSettlementScenario(
  ground: TestEnvironment,
  profile: Profile,
  say: (line: string) => void = () => {},
): Promise<RunFigures> {
  const closing: (() => unknown)[] = []
  try {
    const scene = await setUp(ground, profile, { say, closing })
    return await play(scene)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function setUp(
  ground: TestEnvironment,
  profile: Profile,
  { say, closing }: { say: RunContext['say']; closing: (() => unknown)[] },
): Promise<RunContext> {
  const random = seeded(profile.seed)
  const tally = createTally()
  const stripe = await startStripe()
  closing.push(() => stripe.close())
  const place = placeOf(ground, stripe.double.url)
  const client = privateKeyToAccount(ground.keys[2] ?? '0x')
  const chainOfMoney = {
    ...ground,
    keys: [...ground.keys],
    warp: async () => {},
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  await mintTestMoney(chainOfMoney, client.address.toLowerCase() as Hex, usdc)
  const { world, system } = await openSettlementServices(place)
  closing.push(() => world.close())
  await installBookingRefusal(system)
  stripe.serve(system)
  const stuck = createStuckNonces(system.ports.rail.sender)
  const slots = [await startSlot(), await startSlot()]
  await callChain(ground.rpcUrl, 'evm_setAutomine', [false])
  const rounds = () => slots.reduce((sum, { worker }) => sum + (worker?.rounds() ?? 0), 0)
  const chain = mineAndDisruptChain(ground.rpcUrl, random, tally, rounds)
  closing.push(() => chain.stop().catch(() => {}))
  return {
    ...{ ground, profile, random, place, system, tally, chain, stuck, slots, say },
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
    const [first, second] = [await startRpcProxy(ground.rpcUrl, random), await startRpcProxy(ground.rpcUrl, random)]
    const before = await startStripeProxy(stripe.double.url, random)
    for (const node of [first, second]) node.instead = (call) => stuck.instead(call)
    closing.push(() => Promise.all([first, second, before].map((one) => one.close())))
    return { nodes: [first, second], stripe: before, worker: null, workerNodes: 1 }
  }
}

/** Blocks are a hundred times as fast as Ethereum's, and rounds fifteen times as fast as the product's: so is the patience with a nonce. */
const scale = 15
const productMs = (name: 'CHAIN_REPLACE_AFTER_SECONDS' | 'CHAIN_CANCEL_AFTER_SECONDS') => environment.shape[name].parse(undefined) * 1_000

function placeOf(ground: TestEnvironment, stripeUrl: string): Place {
  const [settlerKey = '0x', evaluatorKey = '0x'] = ground.keys
  const { databaseUrl, rpcUrl, chainId, escrow, token, channels } = ground
  return {
    ...{ databaseUrl, rpcUrl, chainId, escrow, token, channels, settlerKey, evaluatorKey, stripeUrl, stripeSecret, confirmations },
    secondRpcUrl: null,
    serverKey: randomSeed(),
    depths: `${largeTotal}:${confirmations + 2}`,
    replaceAfterMs: productMs('CHAIN_REPLACE_AFTER_SECONDS') / scale,
    cancelAfterMs: productMs('CHAIN_CANCEL_AFTER_SECONDS') / scale,
    timeoutMs: 2_000,
  }
}

async function play(scene: RunContext): Promise<RunFigures> {
  const { chain, slots, profile, say, tally } = scene
  tallyStripe(scene)
  const places = killPlaces(profile.points)
  const plan = planWorkerKills(scene, places)
  const posting = Promise.all([post(scene), postCards(scene), postChannels(scene)])
  posting.catch(() => {})
  const killing = Promise.all(slots.map((slot) => keepKilling(scene, slot, plan)))
  await injectFaults(scene)
  while (elapsedMs(scene) < profile.limitMs && (elapsedMs(scene) < profile.chaosMs || places.some((at) => !plan.died.has(at))))
    await pause(100)
  scene.phase = 'drain'
  await killing
  scene.drainFrom = { at: Date.now(), rounds: roundsOf(scene) }
  chain.calmDown()
  for (const slot of slots) calmSlot(slot)
  await scene.cardMarket.double.notifier.flush()
  say(`${tally.count('kill')} workers killed in ${Math.round(elapsedMs(scene) / 1_000)} s; the rest is left to finish`)
  const last = slots.map((slot) => hireLast(scene, slot))
  await posting
  await chain.warp(noticeSeconds + 60)
  scene.drainFrom = { at: Date.now(), rounds: roundsOf(scene) }
  await untilQuiet(scene)
  scene.phase = 'over'
  await Promise.all(last.map((worker) => worker.kill()))
  noteNodes(scene)
  await steadily(() => indexEvents(scene.system))
  await tellUnpaid(scene)
  return inspect(scene, plan.died, places)
}

/** What the proxies did by chance. */
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

/** The rooms above: goals are posted, handed over and accepted. */
async function post(scene: RunContext): Promise<void> {
  const { system, goals, profile, ground, progress } = scene
  const client = privateKeyToAccount(ground.keys[2] ?? '0x')
  const payees = ground.keys.slice(4, 8).map((key) => privateKeyToAccount(key).address.toLowerCase() as Hex)
  await keepPosting(scene, {
    push: async () => (await pushGoals(system, goals, ground.keys, progress)).paid,
    count: () => goals.length,
    max: { open: profile.inFlight, min: profile.goals, all: maxGoals },
    add: async () => void goals.push(await openEscrowGoal(system, client, payees, goals.length)),
  })
}

async function postCards(scene: RunContext): Promise<void> {
  const { system, cardGoals, cardMarket, profile, progress } = scene
  await keepPosting(scene, {
    push: async () => (await pushCardGoals(system, cardMarket, cardGoals, progress)).paid,
    count: () => cardGoals.length,
    max: { open: profile.cardGoals, min: profile.cardGoals, all: maxGoals },
    add: async () => void cardGoals.push(await openCardGoal(system, cardMarket, cardGoals.length)),
  })
}

async function postChannels(scene: RunContext): Promise<void> {
  const { system, channels, channelMarket, profile, progress } = scene
  await keepPosting(scene, {
    push: async () => (await pushChannels(system, channelMarket, channels, progress)).done,
    count: () => channels.length,
    max: { open: profile.channels, min: profile.channels, all: maxGoals },
    add: async () => void channels.push(await steadily(() => quoteCalls(channelMarket, callsPerChannel))),
  })
}

type Posting = {
  readonly push: () => Promise<number>
  readonly count: () => number
  readonly max: { readonly open: number; readonly min: number; readonly all: number }
  readonly add: () => Promise<void>
}

/** Adds what there is room for as long as there is chaos, and pushes all of it until it is done. */
async function keepPosting(scene: RunContext, { push, count, max, add }: Posting): Promise<void> {
  const { profile } = scene
  while (elapsedMs(scene) < profile.limitMs + profile.maxDrainMs && !isDrainOver(scene)) {
    // The database may be away, and the next round comes.
    const done = await push().catch(() => null)
    const wantsMore = count() < max.min || (scene.phase === 'chaos' && count() < max.all)
    if (done !== null && wantsMore && count() - done < max.open) await add().catch(() => {})
    else if (scene.phase === 'drain' && done === count()) return
    else await pause(120)
  }
}

async function untilQuiet(scene: RunContext): Promise<void> {
  const { system, profile } = scene
  const live = [...liveStates, 'final' as const]
  await within(profile.maxDrainMs, async () => {
    if (isDrainOver(scene)) return true
    const open = await system.db.chainTransaction.count({ where: { state: { in: live } } })
    const cards = await system.db.cardPayment.count({ where: { state: { notIn: ['posted', 'failed_final'] } } })
    const notices = await system.db.stripeEvent.count({ where: { handledAt: null } })
    const alarms = await system.db.chainAlarm.count()
    const channels = await system.db.channel.count({ where: { state: { not: 'closed' } } })
    return open + cards + notices + alarms + channels === 0
  })
}
