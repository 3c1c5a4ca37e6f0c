/** Under a charter on chain: hand out steps, replace who falls out, hold the work against the review, aggregate. */
import type { ArtifactRef, Charter, CharterStep } from '@parley/protocol'
import { listed } from '../../artifacts/table-series.ts'
import { resolveInputs, withRework } from '../charter/build-charter.ts'
import { offersOf } from '../plan/skill-offers.ts'
import { ownSteps } from '../room/charter-events.ts'
import { attemptOf, isDone, outputOf } from '../room/reduce.ts'
import { bundleOf, quotedHashes, verdictIn } from './answer-bundle.ts'
import { askForSteps, mayHandOut } from './client-approval.ts'
import {
  act,
  fail,
  handleOf,
  isFresh,
  openSteps,
  otherOffers,
  retryMs,
  type Scene,
  sayOnce,
  seekElsewhere,
  wait,
} from './decision-context.ts'
import { type Action, type Decision, taskIdOf } from './knowledge.ts'
import { needFor, nextVersion } from './next-charter.ts'

/** How often the same agent may fall silent before it is not asked again, though nobody else is there. */
const maxExpiries = 3

export function decideWork(scene: Scene, charter: Charter): Decision {
  const { floor } = scene
  const led = ownSteps(charter)
  const own = led.find((step) => step.sender_id === charter.principal_id)
  const others = led.filter((step) => step !== own)
  // An attempt of somebody whom this charter has replaced is past.
  const fallen = others.filter((step) => {
    const last = attemptOf(floor, step.step)
    return last?.agent === step.sender_id && (last.status === 'failed' || last.status === 'expired')
  })
  if (own && others.every((step) => isDone(floor, step.step))) return finish(scene, charter, own)
  const open = openSteps(floor, charter)
  const fed = others.filter(
    (step) =>
      !isDone(floor, step.step) &&
      !open.includes(step) &&
      !fallen.includes(step) &&
      step.depends_on.every((number) => isDone(floor, number)),
  )
  const ready = fed.filter((step) => mayHandOut(scene, charter, step))
  const now = open.some((step) => step.mode === 'sync') ? [] : handedOutNow(ready, open.length + fallen.length === 0)
  // Whoever can begin begins, before somebody is looked for in place of who fell out.
  if (now.length > 0) return assignAll(scene, charter, now)
  if (fallen.length > 0) return replaceFallen(scene, charter, fallen)
  const asked = fed.filter((step) => !ready.includes(step))
  if (asked.length > 0) return askForSteps(scene, asked)
  if (open.length < 2 || open.some((step) => step.mode === 'sync')) return wait()
  return pause(scene, open)
}

/** Everything that can run beside the rest, at once; a step that the room waits for only where nothing else is under way. */
function handedOutNow(ready: readonly CharterStep[], isIdle: boolean): readonly CharterStep[] {
  const beside = ready.filter((step) => step.mode === 'async')
  return beside.length > 0 || !isIdle ? beside : ready.slice(0, 1)
}

function assignAll(scene: Scene, charter: Charter, steps: readonly CharterStep[]): Decision {
  const actions = steps.map((step) => assign(scene, charter, step))
  const missing = steps.find((_, index) => actions[index] === undefined)
  if (missing) return fail(scene.floor, `Step ${missing.step} lacks an input that an earlier step should have made.`)
  return { actions: actions.filter((action) => action !== undefined) }
}

function assign(scene: Scene, charter: Charter, step: CharterStep): Action | undefined {
  const { floor, offer } = scene
  const madeBy = (number: number, type: string): ArtifactRef | undefined =>
    attemptOf(floor, number)?.artifacts.find((artifact) => artifact.artifact_type === type)
  const inputs = resolveInputs(step, offer, madeBy)
  if (!inputs) return undefined
  const before = floor.attempts.filter((attempt) => attempt.step === step.step)
  const task_id = taskIdOf(offer.goal_id, step.step, before.length + 1, floor.recordedAt)
  const last = before.at(-1)
  const task_desc = `${step.title}. Wanted: ${listed(step.outputs)}. For the goal: ${offer.text.slice(0, 1_500)}`
  return {
    do: 'assign',
    key: `assign:${charter.version}:${task_id}`,
    step: step.step,
    task_id,
    inputs,
    task_desc,
    ...(last && { reworks: last.task_id as `tsk_${string}` }),
  }
}

/** Several agents are at work and nothing else can be done: the room rests until all of them are through. */
function pause({ floor }: Scene, open: readonly CharterStep[]): Decision {
  const tasks = open.map((step) => attemptOf(floor, step.step)?.task_id ?? '').sort()
  const key = `pause:${tasks.join(',')}`
  if (floor.notes.has(key)) return wait()
  return act({
    do: 'say',
    key,
    act: 'pause',
    triggers: tasks,
    text: `Steps ${listed(open.map((step) => String(step.step)))} are under way at the same time; I wait for all of them.`,
  })
}

/** Somebody else for steps whose agent fell out, or another way to the same; the same again where it came back and nobody else can be had. */
function replaceFallen(scene: Scene, charter: Charter, fallen: readonly CharterStep[]): Decision {
  const { floor, now } = scene
  const since = Math.max(...fallen.map((step) => attemptOf(floor, step.step)?.seq ?? 0))
  if (!isFresh(scene, since)) return act({ do: 'look', key: `look:${now}` })
  const numbers = fallen.map((step) => step.step)
  const why = listed(
    fallen.map((step) => `step ${step.step} (${handleOf(scene, step.sender_id)}): ${attemptOf(floor, step.step)?.text ?? ''}`),
  )
  const next = nextVersion(scene, charter, numbers, otherOffers(scene))
  if (next) {
    const { version } = next.charter
    return act(
      { do: 'say', key: `swap:${version}`, text: `I lost ${why} ${next.says}` },
      { do: 'propose', key: `propose:${version}`, charter: next.charter },
    )
  }
  const elsewhere = seekElsewhere(scene, needFor(scene, charter, fallen))
  if (elsewhere) return elsewhere
  const failed = fallen.filter((step) => attemptOf(floor, step.step)?.status === 'failed')
  if (failed.length > 0) return fail(floor, `I can't get this done: ${why} Nobody else online can take it within the budget.`)
  const online = new Set(offersOf(scene.known.market?.listings ?? []).map((one) => one.sender_id))
  const back = fallen.filter((step) => online.has(step.sender_id) && expiriesOf(scene, step.sender_id) < maxExpiries)
  if (back.length > 0) return assignAll(scene, charter, back.slice(0, 1))
  if (fallen.some((step) => expiriesOf(scene, step.sender_id) >= maxExpiries))
    return fail(floor, `I can't get this done: ${why} It happened ${maxExpiries} times, and nobody else online can take it.`)
  return sayOnce(
    floor,
    `lost:${charter.version}:${floor.trouble.length}`,
    `I lost ${why} Nobody else online can take it; I keep looking until the deadline.`,
    wait(now + retryMs),
  )
}

const expiriesOf = ({ floor }: Scene, agent: string): number =>
  floor.trouble.filter((one) => one.agent === agent && one.kind === 'expired').length

/** All others are through: the verdict decides, and the answer is put together. */
function finish(scene: Scene, charter: Charter, own: CharterStep): Decision {
  const { floor, known, offer } = scene
  const verdictHash = outputOf(floor, 'review.verdict')?.sha256
  const wanted = [...(verdictHash ? [verdictHash] : []), ...quotedHashes(floor, charter)]
  const missing = wanted.filter((sha256) => !known.files.has(sha256))
  if (missing.length > 0) return { actions: missing.map((sha256) => ({ do: 'fetch', key: `fetch:${sha256}`, sha256 })) }
  const verdict = verdictIn(known.files.get(verdictHash ?? ''))
  const failed = verdict?.pass === false ? verdict.criteria.filter((one) => one.status === 'failed') : []
  if (failed.length > 0) return rework(scene, charter, failed)
  const attempt = attemptOf(floor, own.step)
  if (attempt?.status !== 'open') return assignAll(scene, charter, [own])
  const count = ownSteps(charter).length - 1
  return act({
    do: 'complete',
    key: `complete:${attempt.task_id}`,
    task_id: attempt.task_id as `tsk_${string}`,
    text: `Put the answer together from ${count} ${count === 1 ? 'step' : 'steps'}.`,
    content: bundleOf(offer, floor, charter, known.files),
  })
}

/** Once, where somebody else can do the faulted part and the money reaches; otherwise the criteria can't be met. */
function rework(
  scene: Scene,
  charter: Charter,
  failed: readonly { text: string; evidence: string; concerns: readonly string[] }[],
): Decision {
  const { floor, offer, now } = scene
  const reasons = failed.map((one) => `“${one.text}”: ${one.evidence}`).join(' ')
  const giveUp = fail(floor, `The acceptance criteria can't be met. ${reasons}`)
  const types = [...new Set(failed.flatMap((one) => one.concerns))]
  const changeable = failed.every((one) => one.concerns.length > 0 && !one.concerns.includes('table.series'))
  const before = [...floor.notes].some((key) => key.startsWith('rework:') && key !== `rework:${charter.version + 1}`)
  if (!changeable || before) return giveUp
  if (!isFresh(scene, floor.attempts.at(-1)?.seq)) return act({ do: 'look', key: `look:${now}` })
  const next = withRework(charter, types, otherOffers(scene), BigInt(offer.payable))
  if (!next) return giveUp
  return act(
    { do: 'say', key: `rework:${next.version}`, text: `The review did not pass. ${reasons} I have it done once more, by somebody else.` },
    { do: 'propose', key: `propose:${next.version}`, charter: next },
  )
}
