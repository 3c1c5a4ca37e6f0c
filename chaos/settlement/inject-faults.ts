import { setTimeout as pause } from 'node:timers/promises'
import { shuffled } from '../../test/support/random.ts'
import { breakAfterEffect, delayNotices, doubleNotices, failCardRefund } from './card-faults.ts'
import { refuseClaim, reorgChainDeep, stickClaim, stickNonce } from './chain-faults.ts'
import { lieKinds } from './false-rpc-answers.ts'
import type { FaultKind } from './fault-tally.ts'
import { refuseBookingOfChannel, refuseBookingOfGoal } from './refuse-booking.ts'
import { elapsedMs, type RunContext } from './run-context.ts'
import { serveFalseRpcAnswers } from './serve-false-rpc-answers.ts'
import { within } from './test-environment.ts'
import { openElsewhere, strangeChannel, strangePlan } from './unrelated-accounts.ts'

/** The maximum time for which a caller holds the chain. */
const upsetMs = 10_000

/** Makes one fault happen; false where the moment for it did not come. */
type Act = (scene: RunContext) => Promise<boolean>

const chainActs: { readonly [K in FaultKind]?: Act } = {
  stuck_nonce: stickNonce,
  reorg_beyond_depth_other_hash: reorgChainDeep,
  reorg_within_depth: async ({ chain }) => (await within(upsetMs, () => chain.upset('reorg_within_depth'))) !== null,
  fee_surge: async ({ chain }) => (await within(upsetMs, () => chain.upset('fee_surge'))) !== null,
  mempool_drop: async ({ chain }) => (await within(upsetMs, () => chain.upset('mempool_drop'))) !== null,
  database_restart: async ({ ground }) => {
    await ground.crashDatabase()
    return true
  },
  database_disconnect: async ({ ground }) => {
    await ground.disconnectDatabase()
    return true
  },
}
const eventActs: { readonly [K in FaultKind]?: Act } = {
  unbookable_goal: refuseBookingOfGoal,
  unbookable_channel: refuseBookingOfChannel,
  stranger_plan: strangePlan,
  stranger_channel: strangeChannel,
  channel_opened_elsewhere: openElsewhere,
}
const claimActs: { readonly [K in FaultKind]?: Act } = { claim_stuck: stickClaim, claim_refused: refuseClaim }
const lieActs: { readonly [K in FaultKind]?: Act } = Object.fromEntries(
  lieKinds.map((kind) => [kind, (scene: RunContext) => serveFalseRpcAnswers(scene, kind)]),
)
const cardActs: { readonly [K in FaultKind]?: Act } = {
  stripe_5xx_after_effect: breakAfterEffect,
  webhook_duplicated: doubleNotices,
  webhook_late_reordered: delayNotices,
  refund_failed: failCardRefund,
}
/** Those whose own hands count them. */
const selfCounted = new Set<FaultKind>(['stripe_5xx_after_effect', 'reorg_within_depth', 'fee_surge', 'mempool_drop'])

/** All faults that have a beginning and an end, in seeded order: nodes, events, claims and cards beside one another. */
export async function injectFaults(scene: RunContext): Promise<void> {
  const beside = [eventActs, claimActs, cardActs].map((acts) => playAll(scene, listOf(scene, acts)))
  await Promise.all([conductChain(scene), ...beside])
}

/** First with one node, which is believed, then with two, one of which lies. */
async function conductChain(scene: RunContext): Promise<void> {
  const acts = listOf(scene, chainActs)
  const half = Math.ceil(acts.length / 2)
  await playAll(scene, acts.slice(0, half))
  scene.nodes = 2
  // A process that trusts a single node has stopped working.
  for (const slot of scene.slots) if (slot.workerNodes === 1) await slot.worker?.kill()
  await within(30_000, async () => scene.slots.every((slot) => slot.workerNodes === 2 && slot.worker?.isWorking()))
  await playAll(scene, shuffled([...acts.slice(half), ...listOf(scene, lieActs)], scene.random))
}

type Planned = { readonly kind: FaultKind; readonly act: Act }

function listOf({ profile, random }: RunContext, acts: { readonly [K in FaultKind]?: Act }): Planned[] {
  const all = Object.entries(acts) as [FaultKind, Act][]
  const planned = all.flatMap(([kind, act]) => Array.from({ length: profile.faults[kind] ?? 0 }, () => ({ kind, act })))
  return shuffled(planned, random)
}

/** What did not come off is tried again, last, until the run's limit. */
async function playAll(scene: RunContext, planned: readonly Planned[]): Promise<void> {
  const left = [...planned]
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (elapsedMs(scene) > scene.profile.limitMs) return
    await pause(200 + scene.random() * 1_000)
    const { kind, act } = next
    const since = Date.now()
    const happened = await act(scene).catch((error: unknown) => {
      scene.say(`${kind}: ${String(error)}`)
      return false
    })
    scene.say(`${Math.round(elapsedMs(scene) / 1_000)} s: ${kind} ${happened ? 'happened' : 'did not come off'} (${Date.now() - since} ms)`)
    if (happened && !selfCounted.has(kind)) scene.tally.note(kind)
    if (!happened) left.push(next)
  }
}
