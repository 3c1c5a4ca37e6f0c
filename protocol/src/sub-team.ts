/**
 * Sub-teams in the charter: one charter for the whole goal, in which the steps of a sub-team have a parent step and a room. The assignee
 * of a task can propose the next version, which pays others from its own step and changes no other step. Pure. @see SPEC.md#sub-teams
 */
import { canonicalize, type Json } from './canonical.ts'
import type { Charter, CharterStep } from './charter.ts'
import { maxRoomDepth } from './room-tree.ts'
import { roomOfStep, stepsAbove } from './step-rooms.ts'

/** Whether all steps of this agent are unchanged in the next charter. */
export function keepsOwnSteps(before: Charter, after: Charter, did: string): boolean {
  const own = (charter: Charter) => textOf(charter.steps.filter((step) => step.sender_id === did && !step.canceled) as Json)
  return own(before) === own(after)
}

/** Why the agent of `step` cannot hire this agent for it: it leads a room above, or it is the same agent. Null if it can. */
export function circleFault(charter: Charter, step: CharterStep, hired: string): string | null {
  if (hired === step.sender_id) return 'An agent cannot hire itself. Its own step pays the work that it does not hire for.'
  const leads = [charter.principal_id, ...stepsAbove(charter, step).map((one) => one.sender_id)]
  return leads.includes(hired as never) ? `${hired} leads a team above this one, so the work would form a cycle.` : null
}

/** Faults of steps with a parent, in sentences. Part of `charterFaults`. */
export function subStepFaults(charter: Charter): string[] {
  const faults: string[] = []
  const byNumber = new Map(charter.steps.map((step) => [step.step, step]))
  for (const step of charter.steps) {
    const { parent, canceled } = step
    if ((parent === undefined) !== (step.room_id === undefined) || step.room_id === charter.room_id)
      faults.push(`Step ${step.step} must have both parent and room_id, or neither.`)
    if (canceled && step.amount !== '0') faults.push(`Step ${step.step} is canceled and still pays ${step.amount}.`)
    if (parent === undefined) continue
    const above = byNumber.get(parent)
    if (!above || parent >= step.step) faults.push(`Step ${step.step} is part of step ${parent}, which is not before it.`)
    else if (roomOfStep(charter, above) === step.room_id) faults.push(`Step ${step.step} is in the room of the step it is part of.`)
    if (stepsAbove(charter, step).length > maxRoomDepth) faults.push(`Step ${step.step} is nested more than ${maxRoomDepth} teams deep.`)
  }
  for (const step of charter.steps)
    for (const needed of step.depends_on)
      if (byNumber.get(needed)?.room_id !== step.room_id)
        faults.push(`Step ${step.step} depends on step ${needed}, which is in another room.`)
  return faults
}

/**
 * Why `after` is not a valid next version from the agent of `step` for the team in `room_id`. A valid version pays the team from that
 * step only, and changes nothing else. Empty if valid.
 */
export function hiringFaults(before: Charter, after: Charter, hire: { step: number; room_id: string; version?: number }): string[] {
  const { step: number, room_id, version = before.version + 1 } = hire
  const faults: string[] = []
  const own = before.steps.find((step) => step.step === number)
  const left = after.steps.find((step) => step.step === number)
  if (!own || !left) return [`The charter has no step ${number}.`]
  if (own.royalties?.length) faults.push(`Step ${number} owes royalties, so it cannot pay a sub-team.`)
  const frame = ({ steps: _steps, version: _version, ...rest }: Charter) => textOf(rest as Json)
  if (frame(before) !== frame(after)) faults.push('The charter differs from the charter in force in more than its steps.')
  if (after.version !== version) faults.push(`The version is ${after.version}. It must be ${version}.`)
  const isTeams = (step: CharterStep) => step.parent === number && step.room_id === room_id
  for (const was of before.steps) {
    const is = after.steps.find((step) => step.step === was.step)
    if (isTeams(was) && is && isTeams(is)) continue
    const kept = is && was === own ? { ...is, amount: was.amount } : is
    if (!kept || textOf(kept as Json) !== textOf(was as Json)) faults.push(`This team cannot make this change to step ${was.step}.`)
  }
  for (const step of after.steps.filter((one) => one.step > before.steps.length))
    if (!isTeams(step)) faults.push(`Step ${step.step} must be part of step ${number}, in its team’s room.`)
  const sum = (charter: Charter) =>
    charter.steps.filter((step) => step.step === number || isTeams(step)).reduce((total, step) => total + BigInt(step.amount), 0n)
  if (sum(before) !== sum(after)) faults.push(`Step ${number} and its team have ${sum(after)} in total. The sum must stay ${sum(before)}.`)
  return faults
}

/** A step to hire for, from its lead. `after`: indexes into the same list, from 0. */
export type HiredStep = {
  readonly [K in keyof CharterStep as string extends K
    ? never
    : K extends 'step' | 'parent' | 'room_id' | 'depends_on' | 'canceled'
      ? never
      : K]: CharterStep[K]
} & { readonly after?: readonly number[] }

/**
 * The next version with these steps for the team of `step`, paid from it. `version`: if it is not this version plus 1, because another
 * was withdrawn. @throws RangeError if the step pays less
 */
export function hireInto(
  charter: Charter,
  hire: { step: number; room_id: string; steps: readonly HiredStep[]; version?: number },
): Charter {
  const { version = charter.version + 1 } = hire
  const first = charter.steps.length + 1
  const cost = hire.steps.reduce((sum, step) => sum + BigInt(step.amount), 0n)
  const steps = charter.steps.map((step) => {
    if (step.step !== hire.step) return step
    const left = BigInt(step.amount) - cost
    if (left < 0n) throw new RangeError(`The team costs ${cost}. Step ${step.step} pays only ${step.amount}.`)
    return { ...step, amount: left.toString() }
  })
  const hired = hire.steps.map(({ after = [], ...step }, index) => ({
    ...step,
    step: first + index,
    parent: hire.step,
    room_id: hire.room_id,
    depends_on: after.map((place) => first + place),
  }))
  // Spread from loose types: the parts are those of a step.
  return { ...charter, version, steps: [...steps, ...hired] as CharterStep[] }
}

/** The next version without these steps. Their money goes back to the parent step, and `by` keeps them with amount 0. */
export function cancelSteps(
  charter: Charter,
  numbers: readonly number[],
  by: Pick<CharterStep, 'agent_id' | 'sender_id' | 'payee'>,
): Charter {
  const { agent_id, sender_id, payee } = by
  const gone = charter.steps.filter((step) => numbers.includes(step.step) && step.parent !== undefined && !step.canceled)
  const back = new Map<number, bigint>()
  // Deepest first, so that the money of a lower step goes up with its parent's.
  for (const step of gone.toSorted((a, b) => b.step - a.step)) {
    const own = BigInt(step.amount) + (back.get(step.step) ?? 0n)
    back.set(step.parent ?? 0, (back.get(step.parent ?? 0) ?? 0n) + own)
  }
  const steps = charter.steps.map((step): CharterStep => {
    if (gone.includes(step)) {
      const { royalties: _royalties, ...rest } = step
      return { ...rest, agent_id, sender_id, payee, amount: '0', inputs: [], canceled: true }
    }
    const more = back.get(step.step)
    return more === undefined ? step : { ...step, amount: (BigInt(step.amount) + more).toString() }
  })
  return { ...charter, version: charter.version + 1, steps }
}

function textOf(value: Json): string {
  return canonicalize(value)
}
