import { setTimeout as pause } from 'node:timers/promises'
import type { SettlementPoint } from '../../server/ports.ts'
import { noRpcFaults, type RpcFaultRates } from '../faulty-rpc-proxy.ts'
import { noStripeFaults } from './faulty-stripe-proxy.ts'
import { elapsedMs, type RunContext, type Slot } from './run-context.ts'
import { startWorkerProcess, type WorkerProcess } from './start-worker-process.ts'

const wirePlaces = ['first byte', 'accepted', 'card call', 'card answer'] as const
type WirePlace = (typeof wirePlaces)[number]
/** Where a process is killed: at a failpoint, or while its transaction or call is in flight. */
export type KillPlace = SettlementPoint | WirePlace
type Kill = { readonly at: KillPlace | 'anywhere'; readonly nth: number; readonly tries: number }

/** Some failpoints are reached in calls to Stripe only. */
export function killPlaces(points: readonly string[]): KillPlace[] {
  return [...(points as SettlementPoint[]), ...wirePlaces]
}

const oneNode: RpcFaultRates = { stall: 0.003, lose: 0.03, refuse: 0.03, lag: 0.1, loseSent: 0.1 }
/** The other node returns what one node withholds. */
const twoNodes: RpcFaultRates = { stall: 0.002, lose: 0.015, refuse: 0.015, lag: 0, loseSent: 0.1 }
const stripeFaultRates = { broken: 0.08, stall: 0.03, lose: 0.08 }
/** The number of workers whose node receives each transaction twice. */
const oftenTwice = 0.3
/** A worker that has not reached its failpoint by then is killed anywhere. */
const patienceMs = 12_000
/** The number of rounds of a worker that is not killed before, and the limit of the wait for them. */
const [minRounds, longestMs] = [3, 40_000]
const maxTries = 5
const hourMs = 3_600_000
/** Clocks of consecutive workers: right, an hour behind, right, an hour ahead. */
const clocks: readonly (readonly number[])[] = [[], [0, -hourMs, 0, hourMs]]
/** The node's answer to a repeated transaction. Without an injected fault, no sender gets it. */
const repeatedSendAt: { readonly [at: string]: RpcFaultRates['twice'] } = { known: 'at once', nonce_used: 'once mined' }

/** The planned kills in seeded order; receives the outcomes. */
export type KillPlan = {
  next(): Kill | undefined
  happened(where: string, kill: Kill): void
  readonly died: ReadonlyMap<string, number>
}

export function planWorkerKills(run: RunContext, places: readonly KillPlace[]): KillPlan {
  const { profile, random } = run
  const died = new Map<string, number>()
  const nth = () => 1 + Math.floor(random() * 2)
  const plan: Kill[] = Array.from({ length: profile.rounds }, () => places.map((at) => ({ at, nth: nth(), tries: 0 }))).flat()
  return {
    died,
    /** Late in the run, only points without a kill so far. When all are done, any point while other faults are left. */
    next() {
      if (run.phase !== 'chaos') return undefined
      const elapsed = elapsedMs(run)
      const index = plan.findIndex(({ at }) => elapsed < profile.chaosMs || !died.has(at))
      return index < 0 ? { at: 'anywhere', nth: 1, tries: maxTries } : plan.splice(index, 1)[0]
    },
    happened(where, kill) {
      died.set(where, (died.get(where) ?? 0) + 1)
      // Earlier than the others, because its condition is rare.
      if (where !== kill.at && kill.tries < maxTries) plan.unshift({ ...kill, nth: 1, tries: kill.tries + 1 })
    },
  }
}

/** Starts one worker after another in this slot, each with its planned kill, until the faults end. */
export async function killRepeatedly(run: RunContext, slot: Slot, plan: KillPlan): Promise<void> {
  let next = startWorkerProcess()
  for (let kill = plan.next(), n = 0; kill; kill = plan.next(), n++) {
    const worker = next
    const isHit = watchWire(slot, { worker, kill })
    send(run, slot, { worker, kill, n })
    // The next worker starts up meanwhile.
    next = startWorkerProcess()
    await untilEnded(run, worker, kill.at === 'anywhere' ? 5_000 + run.random() * 7_000 : patienceMs)
    if (!worker.hasEnded()) await worker.kill()
    slot.worker = null
    run.pastRounds += worker.rounds()
    run.tally.note('clock_jump', worker.jumps())
    run.tally.note('kill')
    plan.happened(isHit() ? kill.at : (worker.diedAt() ?? 'anywhere'), kill)
  }
  slot.worker = null
  stopFaultsOfSlot(slot)
  await next.kill()
}

function send(run: RunContext, slot: Slot, { worker, kill, n }: { worker: WorkerProcess; kill: Kill; n: number }): void {
  const { place } = run
  const [first, second] = slot.nodes
  const faultRates = run.nodes === 1 ? oneNode : twoNodes
  const twice = repeatedSendAt[kill.at] ?? (run.random() < oftenTwice ? 'at once' : undefined)
  first.faultRates = { ...faultRates, ...(twice && { twice }) }
  second.faultRates = faultRates
  slot.stripe.faultRates = stripeFaultRates
  slot.worker = worker
  slot.workerNodes = run.nodes
  const isOwnPoint = kill.at !== 'anywhere' && !(wirePlaces as readonly string[]).includes(kill.at)
  worker.begin({
    place: { ...place, rpcUrl: first.url, confirmingRpcUrl: run.nodes === 1 ? null : second.url, stripeUrl: slot.stripe.url },
    point: isOwnPoint ? (kill.at as SettlementPoint) : null,
    nth: kill.nth,
    jumps: clocks[n % clocks.length] ?? [],
  })
}

/** Kills the worker while its bytes are in flight; the returned function is true once that has happened. */
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

async function untilEnded(run: RunContext, worker: WorkerProcess, ms: number): Promise<void> {
  let workingSince: number | null = null
  while (!worker.hasEnded() && run.phase === 'chaos') {
    if (workingSince === null && worker.isWorking()) workingSince = Date.now()
    const since = workingSince === null ? 0 : Date.now() - workingSince
    // On a busy machine it needs more time to make progress.
    if (since > ms && (worker.rounds() >= minRounds || since > longestMs)) return
    await pause(20)
  }
}

/** The parts in between work correctly. */
export function stopFaultsOfSlot(slot: Slot): void {
  for (const node of slot.nodes) {
    node.faultRates = noRpcFaults
    node.onSend = () => {}
    node.rewrite = () => undefined
  }
  slot.stripe.faultRates = noStripeFaults
  slot.stripe.onCall = () => {}
}

/** The last worker of this slot, without a kill. */
export function startLastWorker({ place }: RunContext, slot: Slot): WorkerProcess {
  const worker = startWorkerProcess()
  const [first, second] = slot.nodes
  const own = { ...place, rpcUrl: first.url, confirmingRpcUrl: second.url, stripeUrl: slot.stripe.url }
  worker.begin({ place: own, point: null, nth: 1, jumps: [] })
  slot.worker = worker
  return worker
}
