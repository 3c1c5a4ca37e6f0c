/** Which room of a charter does which step, and who leads there. Pure. @see SPEC.md#sub-teams */
import type { Charter, CharterStep } from './charter.ts'

/** Where a step is done: the goal's room, or that of the team it belongs to. */
export function roomOfStep(charter: Charter, step: CharterStep): string {
  return step.group_id ?? charter.group_id
}

/** The steps of one room that still count. */
export function stepsOfRoom(charter: Charter, group_id: string): CharterStep[] {
  return charter.steps.filter((step) => roomOfStep(charter, step) === group_id && !step.dropped)
}

/** Who leads a room of the charter: its principal, or who has the step that the room's steps are part of. */
export function leadOfRoom(charter: Charter, group_id: string): string | undefined {
  if (group_id === charter.group_id) return charter.principal_id
  const parent = charter.steps.find((step) => step.group_id === group_id)?.parent
  return charter.steps.find((step) => step.step === parent)?.sender_id
}

/** The steps that a step is part of, from the nearest to the first. Ends where numbers lead in a circle. */
export function stepsAbove(charter: Charter, step: CharterStep): CharterStep[] {
  const above: CharterStep[] = []
  for (let at: CharterStep | undefined = step; at?.parent !== undefined; ) {
    const { parent }: CharterStep = at
    at = charter.steps.find((one) => one.step === parent)
    if (!at || above.includes(at) || at === step) break
    above.push(at)
  }
  return above
}
