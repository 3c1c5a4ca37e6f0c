/**
 * Applies a message to the room's state: no clock and no randomness, so that a restarted planner continues from the room alone.
 * A message counts only from its authorized sender: the server, the client, the planner, or the member itself.
 */
import { findMessageData } from '@parley/agents'
import { Charter, type DeliveredEnvelope, readSpeechAct } from '@parley/protocol'
import { amendCharter, withdrawCharter } from './amend-or-withdraw-charter.ts'
import { applyCharterDraftMessage } from './apply-charter-draft-message.ts'
import type { AgentProblem, Attempt, Parties, PlannerRoomState } from './planner-room-state.ts'

const textOf = (envelope: DeliveredEnvelope): string =>
  envelope.parts
    .map((part) => part.text ?? '')
    .filter(Boolean)
    .join('\n')
const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The state after the next message of the room. A message that is already included changes nothing. */
export function applyMessageToPlannerRoom(room: PlannerRoomState, envelope: DeliveredEnvelope, parties: Parties): PlannerRoomState {
  if (envelope.seq <= room.head) return room
  const next = { ...room, head: envelope.seq }
  const at = Date.parse(envelope.received_at)
  if (envelope.sender_id === parties.server) return applyServerMessage(next, envelope, at)
  if (envelope.sender_id === parties.principal) return applyOwnMessage(next, envelope, at)
  if (envelope.sender_id === parties.client) return applyClientMessage(next, envelope)
  return applyMemberMessage(next, envelope)
}

function applyOwnMessage(room: PlannerRoomState, envelope: DeliveredEnvelope, at: number): PlannerRoomState {
  const note = findMessageData(envelope, 'note')
  const noted = note ? { ...room, notes: new Set([...room.notes, asString(note.key)]) } : room
  switch (readSpeechAct(envelope.type)) {
    case 'propose':
      return applyProposalMessage(noted, envelope, at)
    case 'sync_task_assignment':
    case 'async_task_assignment': {
      const data = findMessageData(envelope, 'task')
      const step = typeof data?.step === 'number' ? data.step : 0
      const task_id = envelope.task_id ?? ''
      const agent = room.charter?.steps.find((one) => one.step === step)?.sender_id ?? ''
      if (room.attempts.some((attempt) => attempt.task_id === task_id)) return noted
      return {
        ...noted,
        attempts: [...noted.attempts, { task_id, step, agent, status: 'open', artifacts: [], text: '', seq: envelope.seq }],
      }
    }
    case 'task_result':
    case 'error':
      return applyMemberMessage(noted, envelope)
    case 'conclusion':
      return { ...noted, conclusions: noted.conclusions + 1, concluded: asString(findMessageData(envelope, 'conclusion')?.outcome) }
    default: {
      const seal = findMessageData(envelope, 'charter.seal')
      if (seal && typeof seal.version === 'number') return { ...noted, sealed: seal.version }
      return note?.asks === true ? { ...noted, asked: noted.asked + 1, waitingForClient: true } : noted
    }
  }
}

function applyProposalMessage(room: PlannerRoomState, envelope: DeliveredEnvelope, at: number): PlannerRoomState {
  const data = findMessageData(envelope, 'charter')
  const parsed = Charter.safeParse(data?.charter)
  if (!data || !parsed.success) return room
  const charter = parsed.data
  const members = new Set(charter.steps.map((step) => step.sender_id))
  const before = room.charter ? new Set(room.charter.steps.map((step) => step.sender_id)) : new Set<string>()
  // A former member without an answer, who is not in the new charter, did not answer in time.
  const silent = [...before].filter(
    (did) =>
      did !== envelope.sender_id &&
      !members.has(did) &&
      !room.accepted.has(did) &&
      !room.declined.has(did) &&
      room.recorded !== room.charter?.version,
  )
  return {
    ...room,
    charter,
    charterHash: asString(data.charter_hash),
    ownHash: asString(data.charter_hash),
    proposedSeq: envelope.seq,
    proposedAt: at,
    accepted: new Set(),
    declined: new Map(),
    waitingForClient: false,
    problems: [
      ...room.problems,
      ...silent.map((agent): AgentProblem => ({ agent, kind: 'silent', reason: 'It did not answer the invitation.' })),
    ],
  }
}

function applyClientMessage(room: PlannerRoomState, envelope: DeliveredEnvelope): PlannerRoomState {
  const text = textOf(envelope).trim()
  if (room.asked === 0 || room.charter || text === '') return room
  return { ...room, answers: [...room.answers, text], waitingForClient: false }
}

function applyMemberMessage(room: PlannerRoomState, envelope: DeliveredEnvelope): PlannerRoomState {
  const { sender_id } = envelope
  switch (readSpeechAct(envelope.type)) {
    case 'accept':
      return findMessageData(envelope, 'charter.accept')?.charter_hash === room.charterHash
        ? { ...room, accepted: new Set([...room.accepted, sender_id]) }
        : room
    case 'decline': {
      const reason = textOf(envelope) || 'It declined.'
      return {
        ...room,
        declined: new Map([...room.declined, [sender_id, reason]]),
        problems: [...room.problems, { agent: sender_id, kind: 'declined', reason }],
      }
    }
    case 'task_result':
      return endAttempt(room, envelope.task_id, sender_id, (attempt) => ({
        ...attempt,
        status: 'completed',
        artifacts: envelope.parts.flatMap((part) => part.artifact ?? []),
        text: textOf(envelope),
        seq: envelope.seq,
      }))
    case 'error': {
      const reason = textOf(envelope) || 'It gave no reason.'
      const failed = endAttempt(room, envelope.task_id, sender_id, (attempt) => ({
        ...attempt,
        status: 'failed',
        text: reason,
        seq: envelope.seq,
      }))
      return failed === room ? room : { ...failed, problems: [...failed.problems, { agent: sender_id, kind: 'failed', reason }] }
    }
    default:
      return room
  }
}

function endAttempt(
  room: PlannerRoomState,
  task_id: string | undefined,
  agent: string,
  change: (attempt: Attempt) => Attempt,
): PlannerRoomState {
  const index = room.attempts.findIndex((attempt) => attempt.task_id === task_id && attempt.agent === agent && attempt.status === 'open')
  const attempt = room.attempts[index]
  return attempt ? { ...room, attempts: room.attempts.with(index, change(attempt)) } : room
}

function applyServerMessage(room: PlannerRoomState, envelope: DeliveredEnvelope, at: number): PlannerRoomState {
  const data = envelope.parts.find((part) => part.data)?.data ?? {}
  switch (data.kind) {
    case 'charter.carried_over': {
      const members = Array.isArray(data.members) ? data.members.map(asString) : []
      return data.charter_hash === room.charterHash ? { ...room, accepted: new Set([...room.accepted, ...members]) } : room
    }
    case 'charter.amended': {
      const amended = Charter.safeParse(data.charter)
      return amended.success
        ? amendCharter(room, { charter: amended.data, hash: asString(data.charter_hash), seq: envelope.seq, at })
        : room
    }
    case 'charter.withdrawn':
      return withdrawCharter(room, data)
    case 'steps.canceled': {
      const numbers = Array.isArray(data.canceled) ? data.canceled.filter((one) => typeof one === 'number') : []
      return { ...room, canceled: new Set([...room.canceled, ...numbers]) }
    }
    case 'charter.recorded':
      return typeof data.version === 'number' ? { ...room, recorded: data.version, recordedAt: at } : room
    case 'task.expired': {
      const attempt = room.attempts.find((one) => one.task_id === data.task_id && one.status === 'open')
      if (!attempt) return room
      const reason = 'It stopped responding during its step.'
      return {
        ...room,
        attempts: room.attempts.map((one) => (one === attempt ? { ...one, status: 'expired', text: reason, seq: envelope.seq } : one)),
        problems: [...room.problems, { agent: attempt.agent, kind: 'expired', reason }],
      }
    }
    case 'charter.submitted':
    case 'charter.confirmed':
    case 'charter.refused':
      return applyCharterDraftMessage(room, data)
    case 'deadline.extended':
      return { ...room, deadline: Date.parse(asString(data.deadline)) || 0 }
    case 'goal.paused':
    case 'goal.resumed':
      return { ...room, paused: data.kind === 'goal.paused' }
    case 'revision.requested':
      return applyRevisionMessage(room, data)
    case 'revision.expired':
      return { ...room, concluded: 'delivered' }
    case 'work.expired':
      return { ...room, concluded: 'failed' }
    case 'hold.captured':
    case 'hold.voided':
    case 'goal.stopped':
    case 'goal.closed':
      return { ...room, closed: true }
    default:
      return room
  }
}

/** The client requested changes: the conclusion no longer counts, and these steps are open again. */
function applyRevisionMessage(room: PlannerRoomState, data: { readonly [key: string]: unknown }): PlannerRoomState {
  const tasks = Array.isArray(data.task_ids) ? data.task_ids : []
  const steps = Array.isArray(data.steps) ? data.steps.filter((one) => typeof one === 'number') : []
  return {
    ...room,
    concluded: null,
    revisions: [...room.revisions, { steps, reason: asString(data.reason) }],
    attempts: room.attempts.map((one) => (tasks.includes(one.task_id) ? { ...one, status: 'changing' } : one)),
  }
}
