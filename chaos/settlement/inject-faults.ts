import { setTimeout as pause } from 'node:timers/promises'
import { shuffled } from '../../test/support/random.ts'
import { breakAfterEffect, duplicateWebhooks, failCardRefund, reorderWebhooks } from './card-faults.ts'
import { refuseClaim, reorgChainDeep, stickClaim, stickNonce } from './chain-faults.ts'
import { lieKinds } from './false-rpc-answers.ts'
import type { FaultKind } from './fault-tally.ts'
import { refuseBookingOfChannel, refuseBookingOfGoal } from './refuse-booking-in-database.ts'
import { elapsedMs, type RunContext } from './run-context.ts'
import { serveFalseRpcAnswers } from './serve-false-rpc-answers.ts'
import { pollUntil } from './test-environment.ts'
import { createUnrelatedChannel, createUnrelatedPlan, openElsewhere } from './unrelated-accounts.ts'

/** The maximum time for which a caller holds the chain. */
const upsetMs = 10_000

/** Injects one fault; false if there was no occasion for it. */
type InjectFault = (run: RunContext) => Promise<boolean>

const chainActs: { readonly [K in FaultKind]?: InjectFault } = {
  stuck_nonce: stickNonce,
  reorg_beyond_depth_other_hash: reorgChainDeep,
  reorg_within_depth: async ({ chain }) => (await pollUntil(upsetMs, () => chain.upset('reorg_within_depth'))) !== null,
  fee_surge: async ({ chain }) => (await pollUntil(upsetMs, () => chain.upset('fee_surge'))) !== null,
  mempool_drop: async ({ chain }) => (await pollUntil(upsetMs, () => chain.upset('mempool_drop'))) !== null,
  database_restart: async ({ environment }) => {
    await environment.crashDatabase()
    return true
  },
  database_disconnect: async ({ environment }) => {
    await environment.disconnectDatabase()
    return true
  },
}
const eventActs: { readonly [K in FaultKind]?: InjectFault } = {
  unbookable_goal: refuseBookingOfGoal,
  unbookable_channel: refuseBookingOfChannel,
  stranger_plan: createUnrelatedPlan,
  stranger_channel: createUnrelatedChannel,
  channel_opened_elsewhere: openElsewhere,
}
const claimActs: { readonly [K in FaultKind]?: InjectFault } = { claim_stuck: stickClaim, claim_refused: refuseClaim }
const lieActs: { readonly [K in FaultKind]?: InjectFault } = Object.fromEntries(
  lieKinds.map((kind) => [kind, (run: RunContext) => serveFalseRpcAnswers(run, kind)]),
)
const cardActs: { readonly [K in FaultKind]?: InjectFault } = {
  stripe_5xx_after_effect: breakAfterEffect,
  webhook_duplicated: duplicateWebhooks,
  webhook_late_reordered: reorderWebhooks,
  refund_failed: failCardRefund,
}
/** The faults that count themselves. */
const selfCounted = new Set<FaultKind>(['stripe_5xx_after_effect', 'reorg_within_depth', 'fee_surge', 'mempool_drop'])

/** All faults with a beginning and an end, in seeded order: nodes, events, claims and cards run in parallel. */
export async function injectFaults(run: RunContext): Promise<void> {
  const beside = [eventActs, claimActs, cardActs].map((faults) => runAll(run, listOf(run, faults)))
  await Promise.all([conductChain(run), ...beside])
}

/** First with one trusted node, then with two, of which one answers falsely. */
async function conductChain(run: RunContext): Promise<void> {
  const faults = listOf(run, chainActs)
  const half = Math.ceil(faults.length / 2)
  await runAll(run, faults.slice(0, half))
  run.nodes = 2
  // A process that trusts a single node has stopped working.
  for (const slot of run.slots) if (slot.workerNodes === 1) await slot.worker?.kill()
  await pollUntil(30_000, async () => run.slots.every((slot) => slot.workerNodes === 2 && slot.worker?.isWorking()))
  await runAll(run, shuffled([...faults.slice(half), ...listOf(run, lieActs)], run.random))
}

type Planned = { readonly kind: FaultKind; readonly act: InjectFault }

function listOf({ profile, random }: RunContext, injections: { readonly [K in FaultKind]?: InjectFault }): Planned[] {
  const all = Object.entries(injections) as [FaultKind, InjectFault][]
  const planned = all.flatMap(([kind, act]) => Array.from({ length: profile.faults[kind] ?? 0 }, () => ({ kind, act })))
  return shuffled(planned, random)
}

/** Faults without an occasion are retried at the end, until the run's limit. */
async function runAll(run: RunContext, planned: readonly Planned[]): Promise<void> {
  const left = [...planned]
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (elapsedMs(run) > run.profile.limitMs) return
    await pause(200 + run.random() * 1_000)
    const { kind, act } = next
    const since = Date.now()
    const happened = await act(run).catch((error: unknown) => {
      run.log(`${kind}: ${String(error)}`)
      return false
    })
    run.log(`${Math.round(elapsedMs(run) / 1_000)} s: ${kind} ${happened ? 'happened' : 'did not come off'} (${Date.now() - since} ms)`)
    if (happened && !selfCounted.has(kind)) run.tally.note(kind)
    if (!happened) left.push(next)
  }
}
