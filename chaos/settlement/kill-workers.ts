import { setTimeout as pause } from 'node:timers/promises'
import type { SettlementPoint } from '../../server/ports.ts'
import { calm, type Moods } from '../rpc-proxy.ts'
import { elapsedMs, type RunContext, type Slot } from './run-context.ts'
import { startWorkerProcess, type WorkerProcess } from './start-worker-process.ts'
import { calmStripe } from './stripe-proxy.ts'

const wirePlaces = ['first byte', 'accepted', 'card call', 'card answer'] as const
type WirePlace = (typeof wirePlaces)[number]
/** Where a process dies: at a point of its own, or as its transaction or its call is on its way. */
export type KillPlace = SettlementPoint | WirePlace
type Kill = { readonly at: KillPlace | 'anywhere'; readonly nth: number; readonly tries: number }

/** Some of all places are reached on the way to Stripe. */
export function killPlaces(points: readonly string[]): KillPlace[] {
  return [...(points as SettlementPoint[]), ...wirePlaces]
}

const oneNode: Moods = { stall: 0.003, lose: 0.03, refuse: 0.03, lag: 0.1, loseSent: 0.1 }
/** What one node withholds the other tells: that is what the lies are for. */
const twoNodes: Moods = { stall: 0.002, lose: 0.015, refuse: 0.015, lag: 0, loseSent: 0.1 }
const stripeMoods = { broken: 0.08, stall: 0.03, lose: 0.08 }
/** How many of the workers have a node that is given each transaction twice. */
const oftenTwice = 0.3
/** A worker that has not come to its place by then is ended wherever it is. */
const patienceMs = 12_000
/** So much every worker may do that does not die before, and so long it is waited for that. */
const [minRounds, longestMs] = [3, 40_000]
const maxTries = 5
const hourMs = 3_600_000
/** Every other worker's clock is right, then an hour late, right, an hour early. */
const clocks: readonly (readonly number[])[] = [[], [0, -hourMs, 0, hourMs]]
/** The node's answer to a repeated transaction. Without an injected fault, no sender gets it. */
const moodAt: { readonly [at: string]: Moods['twice'] } = { known: 'at once', nonce_used: 'once mined' }

/** Who dies where, in seeded order; told what came of it. */
export type KillPlan = {
  next(): Kill | undefined
  happened(where: string, kill: Kill): void
  readonly died: ReadonlyMap<string, number>
}

export function planWorkerKills(scene: RunContext, places: readonly KillPlace[]): KillPlan {
  const { profile, random } = scene
  const died = new Map<string, number>()
  const nth = () => 1 + Math.floor(random() * 2)
  const plan: Kill[] = Array.from({ length: profile.rounds }, () => places.map((at) => ({ at, nth: nth(), tries: 0 }))).flat()
  return {
    died,
    /** Late, only one where nobody has died yet. When all are done, anywhere, as long as anything else is to go wrong. */
    next() {
      if (scene.phase !== 'chaos') return undefined
      const elapsed = elapsedMs(scene)
      const index = plan.findIndex(({ at }) => elapsed < profile.chaosMs || !died.has(at))
      return index < 0 ? { at: 'anywhere', nth: 1, tries: maxTries } : plan.splice(index, 1)[0]
    },
    happened(where, kill) {
      died.set(where, (died.get(where) ?? 0) + 1)
      // Sooner than the others: what it waits for may come only now and then.
      if (where !== kill.at && kill.tries < maxTries) plan.unshift({ ...kill, nth: 1, tries: kill.tries + 1 })
    },
  }
}

/** One worker after another in this slot, each with its death, until the chaos is over. */
export async function keepKilling(scene: RunContext, slot: Slot, plan: KillPlan): Promise<void> {
  let next = startWorkerProcess()
  for (let kill = plan.next(), n = 0; kill; kill = plan.next(), n++) {
    const worker = next
    const isHit = watchWire(slot, { worker, kill })
    send(scene, slot, { worker, kill, n })
    // The next one makes itself ready meanwhile.
    next = startWorkerProcess()
    await untilEnded(scene, worker, kill.at === 'anywhere' ? 5_000 + scene.random() * 7_000 : patienceMs)
    if (!worker.hasEnded()) await worker.kill()
    slot.worker = null
    scene.pastRounds += worker.rounds()
    scene.tally.note('clock_jump', worker.jumps())
    scene.tally.note('kill')
    plan.happened(isHit() ? kill.at : (worker.diedAt() ?? 'anywhere'), kill)
  }
  slot.worker = null
  calmSlot(slot)
  await next.kill()
}

function send(scene: RunContext, slot: Slot, { worker, kill, n }: { worker: WorkerProcess; kill: Kill; n: number }): void {
  const { place } = scene
  const [first, second] = slot.nodes
  const moods = scene.nodes === 1 ? oneNode : twoNodes
  const twice = moodAt[kill.at] ?? (scene.random() < oftenTwice ? 'at once' : undefined)
  first.moods = { ...moods, ...(twice && { twice }) }
  second.moods = moods
  slot.stripe.moods = stripeMoods
  slot.worker = worker
  slot.workerNodes = scene.nodes
  const isOwnPoint = kill.at !== 'anywhere' && !(wirePlaces as readonly string[]).includes(kill.at)
  worker.begin({
    place: { ...place, rpcUrl: first.url, secondRpcUrl: scene.nodes === 1 ? null : second.url, stripeUrl: slot.stripe.url },
    point: isOwnPoint ? (kill.at as SettlementPoint) : null,
    nth: kill.nth,
    jumps: clocks[n % clocks.length] ?? [],
  })
}

/** Kills the worker as its bytes pass; true from the answer where that has happened. */
function watchWire(slot: Slot, { worker, kill }: { worker: WorkerProcess; kill: Kill }): () => boolean {
  let isHit = false
  let seen = 0
  const passes = (when: string) => {
    if (when !== kill.at || isHit || ++seen < kill.nth) return
    isHit = true
    void worker.kill()
  }
  for (const node of slot.nodes) node.onSend = passes
  slot.stripe.onCall = passes
  return () => isHit
}

async function untilEnded(scene: RunContext, worker: WorkerProcess, ms: number): Promise<void> {
  let workingSince: number | null = null
  while (!worker.hasEnded() && scene.phase === 'chaos') {
    if (workingSince === null && worker.isWorking()) workingSince = Date.now()
    const since = workingSince === null ? 0 : Date.now() - workingSince
    // On a busy machine it takes its time, and has to get somewhere all the same.
    if (since > ms && (worker.rounds() >= minRounds || since > longestMs)) return
    await pause(20)
  }
}

/** Whatever lies between works as it should. */
export function calmSlot(slot: Slot): void {
  for (const node of slot.nodes) {
    node.moods = calm
    node.onSend = () => {}
    node.rewrite = () => undefined
  }
  slot.stripe.moods = calmStripe
  slot.stripe.onCall = () => {}
}

/** A worker that is left alone, in this slot. */
export function hireLast({ place }: RunContext, slot: Slot): WorkerProcess {
  const worker = startWorkerProcess()
  const [first, second] = slot.nodes
  const own = { ...place, rpcUrl: first.url, secondRpcUrl: second.url, stripeUrl: slot.stripe.url }
  worker.begin({ place: own, point: null, nth: 1, jumps: [] })
  slot.worker = worker
  return worker
}
