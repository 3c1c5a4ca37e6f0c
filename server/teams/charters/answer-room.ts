import { type Charter, canonicalize, type Json, roomOfStep } from '@parley/protocol'

/** Where an agent answers a charter: in the room of its own steps; where it has some in `preferred`, there. */
export function answerRoom(charter: Charter, agentId: string, preferred: string): string {
  const rooms = charter.steps.filter((step) => step.agent_id === agentId && !step.dropped).map((step) => roomOfStep(charter, step))
  return rooms.includes(preferred) ? preferred : (rooms[0] ?? charter.group_id)
}

/** Whether an agent has the same steps, word for word, in both charters. */
export function hasSameSteps(before: Charter, after: Charter, agentId: string): boolean {
  const own = (charter: Charter) => canonicalize(charter.steps.filter((step) => step.agent_id === agentId) as Json)
  return own(before) === own(after)
}
