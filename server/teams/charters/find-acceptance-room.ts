import { type Charter, canonicalize, type Json, roomOfStep } from '@parley/protocol'

/** The room in which an agent answers a charter: `preferred` if it has steps there, otherwise the room of its steps. */
export function findAcceptanceRoom(charter: Charter, agentId: string, preferred: string): string {
  const rooms = charter.steps.filter((step) => step.agent_id === agentId && !step.canceled).map((step) => roomOfStep(charter, step))
  return rooms.includes(preferred) ? preferred : (rooms[0] ?? charter.room_id)
}

/** Whether an agent has identical steps in both charters. */
export function hasSameSteps(before: Charter, after: Charter, agentId: string): boolean {
  const own = (charter: Charter) => canonicalize(charter.steps.filter((step) => step.agent_id === agentId) as Json)
  return own(before) === own(after)
}
