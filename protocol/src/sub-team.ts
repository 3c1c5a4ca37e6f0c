/**
 * Teams in teams, on paper: one charter for the whole goal, in which the steps of a sub-team name the step that they are part
 * of and the room in which they are done. Who has a task may put the next version that pays others out of its own step, and
 * changes nobody else's. Pure. @see SPEC.md#sub-teams
 */
import { canonicalize, type Json } from './canonical.ts'
import type { Charter, CharterStep } from './charter.ts'
import { roomOfStep, stepsAbove } from './charter-rooms.ts'
import { maxRoomDepth } from './room-tree.ts'

/** Whether all that this agent has in a charter stands in the next one word for word. */
export function keepsOwnSteps(before: Charter, after: Charter, did: string): boolean {
  const own = (charter: Charter) => textOf(charter.steps.filter((step) => step.sender_id === did && !step.dropped) as Json)
  return own(before) === own(after)
}

/** Why who has `step` may not hire this agent for it: it leads a room above, or is the hirer itself. Null where it may. */
export function circleFault(charter: Charter, step: CharterStep, hired: string): string | null {
  if (hired === step.sender_id) return 'An agent cannot hire itself. Its own step pays the work that it does not hire for.'
  const leads = [charter.principal_id, ...stepsAbove(charter, step).map((one) => one.sender_id)]
  return leads.includes(hired as never) ? `${hired} leads a team above this one, so the work would form a cycle.` : null
}

/** What is wrong with steps that name a step they are part of, in sentences. Part of `charterFaults`. */
export function subStepFaults(charter: Charter): string[] {
  const faults: string[] = []
  const byNumber = new Map(charter.steps.map((step) => [step.step, step]))
  for (const step of charter.steps) {
    const { parent, dropped } = step
    if ((parent === undefined) !== (step.group_id === undefined) || step.group_id === charter.group_id)
      faults.push(`Step ${step.step} must have both parent and group_id, or neither.`)
    if (dropped && step.amount !== '0') faults.push(`Step ${step.step} was dropped and still pays ${step.amount}.`)
    if (parent === undefined) continue
    const above = byNumber.get(parent)
    if (!above || parent >= step.step) faults.push(`Step ${step.step} is part of step ${parent}, which is not before it.`)
    else if (roomOfStep(charter, above) === step.group_id) faults.push(`Step ${step.step} is in the room of the step it is part of.`)
    if (stepsAbove(charter, step).length > maxRoomDepth) faults.push(`Step ${step.step} is nested more than ${maxRoomDepth} teams deep.`)
  }
  for (const step of charter.steps)
    for (const needed of step.depends_on)
      if (byNumber.get(needed)?.group_id !== step.group_id)
        faults.push(`Step ${step.step} depends on step ${needed}, which is in another room.`)
  return faults
}

/**
 * Why `after` is not the next version that whoever has `step` may put for the team in `group_id`: it pays the team out of that
 * step and no other, and leaves everything else word for word. Empty where it is.
 */
export function hiringFaults(before: Charter, after: Charter, hire: { step: number; group_id: string; version?: number }): string[] {
  const { step: number, group_id, version = before.version + 1 } = hire
  const faults: string[] = []
  const own = before.steps.find((step) => step.step === number)
  const left = after.steps.find((step) => step.step === number)
  if (!own || !left) return [`The charter has no step ${number}.`]
  if (own.royalties?.length) faults.push(`Step ${number} owes royalties, so it cannot pay a sub-team.`)
  const frame = ({ steps: _steps, version: _version, ...rest }: Charter) => textOf(rest as Json)
  if (frame(before) !== frame(after)) faults.push('The charter differs from the charter in force in more than its steps.')
  if (after.version !== version) faults.push(`The version is ${after.version}. It must be ${version}.`)
  const isTeams = (step: CharterStep) => step.parent === number && step.group_id === group_id
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

/** A step to be hired for, as its lead puts it; `after` are places in the same list, from 0. */
export type HiredStep = {
  readonly [K in keyof CharterStep as string extends K
    ? never
    : K extends 'step' | 'parent' | 'group_id' | 'depends_on' | 'dropped'
      ? never
      : K]: CharterStep[K]
} & { readonly after?: readonly number[] }

/**
 * The next version with these steps for the team of `step`, paid out of it. `version`: where it is not this one's plus 1,
 * since another was withdrawn. @throws RangeError where the step has not that much
 */
export function hireInto(
  charter: Charter,
  hire: { step: number; group_id: string; steps: readonly HiredStep[]; version?: number },
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
    group_id: hire.group_id,
    depends_on: after.map((place) => first + place),
  }))
  // Spread from loose types: the parts are those of a step.
  return { ...charter, version, steps: [...steps, ...hired] as CharterStep[] }
}

/** The next version without these steps: their money is their team's step's again, and `by` stands for them with nothing. */
export function dropSteps(
  charter: Charter,
  numbers: readonly number[],
  by: Pick<CharterStep, 'agent_id' | 'sender_id' | 'payee'>,
): Charter {
  const { agent_id, sender_id, payee } = by
  const gone = charter.steps.filter((step) => numbers.includes(step.step) && step.parent !== undefined && !step.dropped)
  const back = new Map<number, bigint>()
  // From the deepest up, so that what a step below gives back goes on with its own.
  for (const step of gone.toSorted((a, b) => b.step - a.step)) {
    const own = BigInt(step.amount) + (back.get(step.step) ?? 0n)
    back.set(step.parent ?? 0, (back.get(step.parent ?? 0) ?? 0n) + own)
  }
  const steps = charter.steps.map((step): CharterStep => {
    if (gone.includes(step)) {
      const { royalties: _royalties, ...rest } = step
      return { ...rest, agent_id, sender_id, payee, amount: '0', inputs: [], dropped: true }
    }
    const more = back.get(step.step)
    return more === undefined ? step : { ...step, amount: (BigInt(step.amount) + more).toString() }
  })
  return { ...charter, version: charter.version + 1, steps }
}

function textOf(value: Json): string {
  return canonicalize(value)
}
