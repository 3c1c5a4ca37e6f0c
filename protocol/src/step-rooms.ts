/** The rooms of a charter: the room of each step, and the lead of each room. Pure. @see SPEC.md#sub-teams */
import type { Charter, CharterStep } from './charter.ts'

/** The room of a step: the goal's room, or that of its sub-team. */
export function roomOfStep(charter: Charter, step: CharterStep): string {
  return step.room_id ?? charter.room_id
}

/** The steps of one room, without canceled ones. */
export function stepsOfRoom(charter: Charter, room_id: string): CharterStep[] {
  return charter.steps.filter((step) => roomOfStep(charter, step) === room_id && !step.canceled)
}

/** The lead of a room: the principal of the charter, or the agent of the parent step. */
export function leadOfRoom(charter: Charter, room_id: string): string | undefined {
  if (room_id === charter.room_id) return charter.principal_id
  const parent = charter.steps.find((step) => step.room_id === room_id)?.parent
  return charter.steps.find((step) => step.step === parent)?.sender_id
}

/** The ancestors of a step, from its parent to the first. Ends at a cycle. */
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
