import type { Context } from '../../server/context.ts'
import type { Random } from '../../test/support/random.ts'
import type { RpcProxy } from '../faulty-rpc-proxy.ts'
import type { CardGoal, CardMarket } from './card-goals.ts'
import type { CallChannel, ChannelMarket } from './channel-calls.ts'
import type { PaidGoal } from './escrow-goals.ts'
import type { FaultTally } from './fault-tally.ts'
import type { StripeProxy } from './faulty-stripe-proxy.ts'
import type { DisruptedChain } from './mine-and-disrupt-chain.ts'
import type { SettlementSettings } from './open-settlement-services.ts'
import type { Progress } from './payment-progress.ts'
import type { WorkerProcess } from './start-worker-process.ts'
import type { StuckNonces } from './stuck-nonces.ts'
import type { Profile, TestEnvironment } from './test-environment.ts'

/** A slot for one worker after another, with its own proxies. */
export type Slot = {
  readonly nodes: readonly [RpcProxy, RpcProxy]
  readonly stripe: StripeProxy
  worker: WorkerProcess | null
  /** The number of nodes that the worker uses. */
  workerNodes: 1 | 2
}

/** The shared state of a run. */
export type RunContext = {
  readonly environment: TestEnvironment
  readonly profile: Profile
  readonly random: Random
  readonly place: SettlementSettings
  readonly system: Context
  readonly tally: FaultTally
  readonly progress: Progress
  readonly chain: DisruptedChain
  readonly stuck: StuckNonces
  readonly slots: readonly Slot[]
  readonly cardMarket: CardMarket
  readonly channelMarket: ChannelMarket
  readonly goals: PaidGoal[]
  readonly cardGoals: CardGoal[]
  readonly channels: CallChannel[]
  /** Subjects of the injected dead letters. */
  readonly planted: Set<string>
  /** Violations that a fault has revealed, each reported once. */
  readonly violations: string[]
  readonly startedAt: number
  /** The number of nodes of the next workers. */
  nodes: 1 | 2
  /** The rounds of all workers that have ended. */
  pastRounds: number
  phase: 'chaos' | 'drain' | 'over'
  /** When the wait for the end began, and after how many rounds. */
  drainFrom: { readonly at: number; readonly rounds: number } | null
  readonly log: (line: string) => void
}

export function elapsedMs({ startedAt }: RunContext): number {
  return Date.now() - startedAt
}

/** How many rounds with the chain all workers have made. */
export function roundsOf({ slots, pastRounds }: RunContext): number {
  return slots.reduce((sum, { worker }) => sum + (worker?.rounds() ?? 0), pastRounds)
}

/** The purpose of the settler's transaction: its goal, the goals of its batch, or its channel. */
export async function subjectsOf(system: Context, nonce: number): Promise<string[]> {
  const row = await system.db.chainTransaction.findFirst({ where: { nonce, chainId: system.market.chainId } })
  if (!row) return []
  const batch = await system.db.batchedSettlement.findMany({ where: { transactionId: row.id }, select: { goalId: true } })
  return [row.goalId, row.channelId, ...batch.map((one) => one.goalId)].filter((one) => one !== null)
}

/**
 * Whether what is left had its time to finish. On a busy machine the workers make few rounds, so as many have to pass as an idle machine
 * makes in that time at least.
 */
export function isDrainOver(scene: RunContext): boolean {
  const { drainFrom, profile } = scene
  if (drainFrom === null) return false
  const ms = Date.now() - drainFrom.at
  return ms > profile.maxDrainMs || (ms > profile.drainMs && roundsOf(scene) - drainFrom.rounds > profile.drainRounds)
}
