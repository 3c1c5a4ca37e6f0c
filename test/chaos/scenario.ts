import { setTimeout as pause } from 'node:timers/promises'
import { randomSeed } from '@parley/protocol'
import { zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { callChain } from '../../server/embedded/anvil.ts'
import { type SettlementPoint, settlementPoints } from '../../server/ports.ts'
import { mintTestMoney } from '../support/money.ts'
import { openBooks, type Place } from './books.ts'
import { type Figures, inspect, tellUnpaid } from './figures.ts'
import { largeTotal, openPaidGoal, type PaidGoal, pushGoals } from './goals.ts'
import { calm, type Moods, startRpcProxy } from './rpc-proxy.ts'
import { hireWorker, type WorkerProcess } from './worker-process.ts'

/**
 * `goals`: at least; `inFlight`: at once. `rounds`: how often the process dies at each place. `chaosMs`: after so long no
 * further kill begins, but at a place where nobody has died yet; after `limitMs` not there either.
 */
export type Profile = {
  readonly goals: number
  readonly inFlight: number
  readonly rounds: number
  readonly chaosMs: number
  readonly limitMs: number
  readonly drainMs: number
  readonly seed: number
  readonly points?: readonly SettlementPoint[]
}
export type Ground = {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly chainId: number
  readonly escrow: `0x${string}`
  readonly token: `0x${string}`
  readonly keys: readonly `0x${string}`[]
}

const moods = { stall: 0.003, lose: 0.03, refuse: 0.03, lag: 0.1 }
const confirmations = 4
/** A worker that has not come to its place by then is ended wherever it is. */
const patienceMs = 15_000

const hourMs = 3_600_000
/** Every other worker's clock is right, then an hour late, right, an hour early. */
const clocks: readonly (readonly number[])[] = [[], [0, -hourMs, 0, hourMs]]

/** Where a process dies: at a point of its own, or as its transaction is on its way to the node. */
type KillPlace = SettlementPoint | 'first byte' | 'accepted'
type Kill = { readonly at: KillPlace; readonly nth: number; readonly tries: number }

/** What is said to who sends what the node has already; without a mood of the node's nobody would hear it. */
const moodAt: { readonly [at: string]: Moods['twice'] } = { known: 'at once', nonce_used: 'once mined' }

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Two workers at once, killed at every place in turn, on a chain that is rewritten and behind a node that lies. */
export async function runChaos(ground: Ground, profile: Profile, say: (line: string) => void = () => {}): Promise<Figures> {
  const random = seeded(profile.seed)
  const [settlerKey = '0x', evaluatorKey = '0x', clientKey = '0x'] = ground.keys
  const place: Place = {
    ...ground,
    settlerKey,
    evaluatorKey,
    serverKey: randomSeed(),
    confirmations,
    depths: `${largeTotal}:${confirmations + 2}`,
    replaceAfterMs: 1_000,
    timeoutMs: 2_000,
  }
  const client = privateKeyToAccount(clientKey)
  const payees = ground.keys.slice(4, 8).map((key) => privateKeyToAccount(key).address.toLowerCase() as `0x${string}`)
  const chain = {
    ...ground,
    // Nobody is asked directly here.
    channels: zeroAddress,
    keys: [...ground.keys],
    warp: async () => {},
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  await mintTestMoney(chain, client.address.toLowerCase() as `0x${string}`, 2_000_000_000n)
  const { world, system } = await openBooks(place)
  const proxies = await Promise.all([0, 1].map(() => startRpcProxy(ground.rpcUrl, random)))
  await callChain(ground.rpcUrl, 'evm_setAutomine', [false])

  const goals: PaidGoal[] = []
  const died = new Map<string, number>()
  const weather = { reorgs: 0, surges: 0, drops: 0 }
  const places: readonly KillPlace[] = [...(profile.points ?? settlementPoints), 'first byte', 'accepted']
  const plan: Kill[] = Array.from({ length: profile.rounds }, () =>
    places.map((at) => ({ at, nth: 1 + Math.floor(random() * 2), tries: 0 })),
  ).flat()
  let jumps = 0
  const startedAt = Date.now()
  let isChaos = true
  let isOver = false

  /** The next death that is still wanted: late, only one where nobody has died yet. */
  function nextKill(): Kill | undefined {
    const elapsed = Date.now() - startedAt
    if (elapsed > profile.limitMs) return undefined
    const index = plan.findIndex(({ at }) => elapsed < profile.chaosMs || !died.has(at))
    return index < 0 ? undefined : plan.splice(index, 1)[0]
  }

  /** One worker after another in this place, each with its death. */
  async function keepKilling(slot: number): Promise<void> {
    const proxy = proxies[slot]
    if (!proxy) return
    let next = hireWorker()
    for (let kill = nextKill(), n = 0; kill; kill = nextKill(), n++) {
      const { at, nth, tries } = kill
      const onWire = at === 'first byte' || at === 'accepted'
      const worker = next
      proxy.moods = { ...moods, ...(moodAt[at] && { twice: moodAt[at] }) }
      const point = onWire ? null : at
      worker.begin({ place: { ...place, rpcUrl: proxy.url }, point, nth, jumps: clocks[n % clocks.length] ?? [] })
      // The next one makes itself ready meanwhile.
      next = hireWorker()
      let isHit = false
      let seen = 0
      proxy.onSend = (when) => {
        if (when !== at || isHit || ++seen < nth) return
        isHit = true
        void worker.kill()
      }
      await untilEnded(worker)
      if (!worker.hasEnded()) await worker.kill()
      jumps += worker.jumps()
      const where = isHit ? at : (worker.diedAt() ?? 'anywhere')
      died.set(where, (died.get(where) ?? 0) + 1)
      // Sooner than the others: what it waits for may come only now and then.
      if (where === 'anywhere' && tries < 5) plan.unshift({ ...kill, nth: 1, tries: tries + 1 })
    }
    proxy.onSend = () => {}
    proxy.moods = moods
    await next.kill()
  }

  async function untilEnded(worker: WorkerProcess): Promise<void> {
    let workingSince: number | null = null
    while (!worker.hasEnded()) {
      if (workingSince === null && worker.isWorking()) workingSince = Date.now()
      if (workingSince !== null && Date.now() - workingSince > patienceMs) return
      await pause(20)
    }
  }

  /** The chain goes on: blocks, rewritten ones, a price that leaps, and a node that forgets what waits. */
  async function runChain(): Promise<void> {
    for (let block = 1; !isOver; block++) {
      await pause(120)
      await callChain(ground.rpcUrl, 'anvil_mine', ['0x1'])
      if (!isChaos) continue
      if (block % 60 === 0) {
        await callChain(ground.rpcUrl, 'anvil_rollback', [3])
        weather.reorgs++
      }
      if (block % 20 === 10) {
        await callChain(ground.rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [`0x${(40n * 10n ** 9n).toString(16)}`])
        weather.surges++
      }
      if (block % 50 === 35) {
        await callChain(ground.rpcUrl, 'anvil_dropAllTransactions', [])
        weather.drops++
      }
    }
  }

  /** The rooms above: goals are posted, handed over and accepted. */
  async function runGoals(until: () => boolean): Promise<void> {
    for (;;) {
      const { paid } = await pushGoals(system, goals)
      const wantsMore = goals.length < profile.goals || (isChaos && goals.length < 400)
      if (wantsMore && goals.length - paid < profile.inFlight) goals.push(await openPaidGoal(system, client, payees, goals.length))
      else if (!isChaos && paid === goals.length) return
      else await pause(120)
      if (until()) return
    }
  }

  const running = runChain()
  const posting = runGoals(() => Date.now() - startedAt > profile.limitMs + patienceMs + profile.drainMs)
  try {
    await Promise.all([keepKilling(0), keepKilling(1)])
    say(`${sum(died)} workers killed in ${Math.round((Date.now() - startedAt) / 1_000)} s; the rest is left to finish`)
    isChaos = false
    for (const proxy of proxies) proxy.moods = calm
    const last = proxies.map((proxy) => {
      const worker = hireWorker()
      worker.begin({ place: { ...place, rpcUrl: proxy.url }, point: null, nth: 1, jumps: [] })
      return worker
    })
    await posting
    await untilQuiet(Date.now() + profile.drainMs)
    await Promise.all(last.map((worker) => worker.kill()))
    isOver = true
    await running
    await tellUnpaid(system, goals, say)
    return await inspect(system, ground, goals, {
      seconds: Math.round((Date.now() - startedAt) / 1_000),
      kills: sum(died),
      points: Object.fromEntries(places.map((at) => [at, { planned: profile.rounds, happened: died.get(at) ?? 0 }])),
      elsewhere: died.get('anywhere') ?? 0,
      clock_jumps: jumps,
      ...weather,
      faults: Object.fromEntries(
        proxies
          .flatMap((proxy) => [...proxy.done])
          .reduce((all, [what, n]) => all.set(what, (all.get(what) ?? 0) + n), new Map<string, number>()),
      ),
    })
  } finally {
    isOver = true
    isChaos = false
    await running.catch(() => {})
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await world.close()
  }

  async function untilQuiet(deadline: number): Promise<void> {
    while (Date.now() < deadline) {
      const open = await system.db.chainTransaction.count({
        where: { state: { in: ['intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged', 'final'] } },
      })
      if (open === 0) return
      await pause(50)
    }
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
