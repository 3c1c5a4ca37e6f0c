/** A charter in which somebody of the team has hired a team of its own: what is the principal's in it, and what is not. */
import { type Charter, type CharterStep, stepsOfRoom } from '@parley/protocol'
import type { Floor } from './floor.ts'

/** The steps that the principal leads itself: those of sub-teams are their leads' business. */
export const ownSteps = (charter: Charter): CharterStep[] => stepsOfRoom(charter, charter.group_id)

/** The charter goes on with all that this team has agreed to and its client has confirmed, sealed already. */
export function amend(floor: Floor, charter: Charter, charterHash: string, seq: number, at: number): Floor {
  if (charter.version <= (floor.charter?.version ?? 0)) return floor
  const accepted = new Set(charter.steps.map((step) => step.sender_id))
  const steps = floor.confirmed.get(floor.charterHash ?? '')
  const confirmed = steps ? new Map([...floor.confirmed, [charterHash, steps] as const]) : floor.confirmed
  return {
    ...floor,
    charter,
    charterHash,
    proposedSeq: seq,
    proposedAt: at,
    accepted,
    declined: new Map(),
    sealed: charter.version,
    confirmed,
  }
}
