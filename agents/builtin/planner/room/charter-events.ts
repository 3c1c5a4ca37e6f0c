/** A charter in which somebody of the team has hired a team of its own: what is the principal's in it, and what is not. */
import { Charter, type CharterStep, type Json, stepsOfRoom } from '@parley/protocol'
import type { Decision } from '../decisions/knowledge.ts'
import type { Floor } from './reduce.ts'

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

/** The rail has refused a charter: the one before it goes on, agreed to and confirmed as it was; before the first there is none. */
export function withdraw(floor: Floor, data: { readonly [field: string]: Json }): Floor {
  const version = typeof data.version === 'number' ? data.version : 0
  const reason = typeof data.reason === 'string' ? data.reason : ''
  const isOwn = floor.ownHash !== null && floor.ownHash === data.charter_hash
  const after = { ...floor, withdrawn: { version, reason }, withdrawals: floor.withdrawals + (isOwn ? 1 : 0) }
  if (floor.charter?.version !== version || floor.charterHash !== data.charter_hash) return after
  const inForce = data.in_force as { readonly charter?: Json; readonly charter_hash?: Json } | null | undefined
  const charter = Charter.safeParse(inForce?.charter)
  const before = { ...after, charter: null, charterHash: null, accepted: new Set<string>(), declined: new Map<string, string>(), sealed: 0 }
  if (!charter.success) return before
  return {
    ...before,
    charter: charter.data,
    charterHash: typeof inForce?.charter_hash === 'string' ? inForce.charter_hash : null,
    accepted: new Set(charter.data.steps.map((step) => step.sender_id)),
    sealed: charter.data.version,
  }
}

/** The version that the next charter gets. */
export const nextVersion = ({ charter, withdrawn }: Floor): number => 1 + Math.max(charter?.version ?? 0, withdrawn?.version ?? 0)

/** What is proposed gets a version that no charter has had: one that was refused is used up. */
export function renumbered(floor: Floor, decision: Decision): Decision {
  const version = nextVersion(floor)
  const actions = decision.actions.map((action) =>
    action.do === 'propose' && action.charter.version !== version
      ? { ...action, key: `propose:${version}`, charter: { ...action.charter, version } }
      : action,
  )
  return { ...decision, actions }
}
