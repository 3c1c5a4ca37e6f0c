/** The server's messages that change the charter in force: a sub-team was hired, or the rail refused a charter. */
import { Charter, type Json } from '@parley/protocol'
import type { PlannerRoomState } from './planner-room-state.ts'

export type Amendment = {
  readonly charter: Charter
  readonly hash: string
  readonly seq: number
  /** Unix milliseconds. */
  readonly at: number
}

/** A sub-team was hired. The new charter is sealed, and keeps this team's acceptances and the client's confirmations. */
export function amendCharter(room: PlannerRoomState, { charter, hash, seq, at }: Amendment): PlannerRoomState {
  if (charter.version <= (room.charter?.version ?? 0)) return room
  const accepted = new Set(charter.steps.map((step) => step.sender_id))
  const steps = room.confirmed.get(room.charterHash ?? '')
  const confirmed = steps ? new Map([...room.confirmed, [hash, steps] as const]) : room.confirmed
  return {
    ...room,
    charter,
    charterHash: hash,
    proposedSeq: seq,
    proposedAt: at,
    accepted,
    declined: new Map(),
    sealed: charter.version,
    confirmed,
  }
}

/** The rail refused a charter permanently. The charter before it stays in force with its acceptances; before the first there is none. */
export function withdrawCharter(room: PlannerRoomState, data: { readonly [field: string]: Json }): PlannerRoomState {
  const version = typeof data.version === 'number' ? data.version : 0
  const reason = typeof data.reason === 'string' ? data.reason : ''
  const isOwn = room.ownHash !== null && room.ownHash === data.charter_hash
  const after = { ...room, withdrawn: { version, reason }, withdrawals: room.withdrawals + (isOwn ? 1 : 0) }
  if (room.charter?.version !== version || room.charterHash !== data.charter_hash) return after
  const inForce = data.in_force as { readonly charter?: Json; readonly charter_hash?: Json } | null | undefined
  const charter = Charter.safeParse(inForce?.charter)
  const before = {
    ...after,
    charter: null,
    charterHash: null,
    accepted: new Set<string>(),
    declined: new Map<string, string>(),
    sealed: null,
  }
  if (!charter.success) return before
  return {
    ...before,
    charter: charter.data,
    charterHash: typeof inForce?.charter_hash === 'string' ? inForce.charter_hash : null,
    accepted: new Set(charter.data.steps.map((step) => step.sender_id)),
    sealed: charter.data.version,
  }
}
