/**
 * The effect of a message on its room: a move, or none. Fail-open: a message without the right or the place to move changes nothing.
 * @see SPEC.md#rooms
 */
import type { DeliveredEnvelope } from './envelope.ts'
import { advanceRoom, type Room, type RoomMove } from './room.ts'
import { readSpeechAct } from './speech-act.ts'

type MessageFacts = Pick<
  DeliveredEnvelope,
  'sender_id' | 'type' | 'task_id' | 'next_speakers' | 'to' | 'expects' | 'triggers' | 'parts' | 'received_at'
>

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

/** The room after a message. `server`: the DID whose messages about tasks and money count. */
export function applyMessageToRoom(room: Room, envelope: MessageFacts, server: string): Room {
  return movesOf(room, envelope, server).reduce((now, move) => {
    const step = advanceRoom(now, move)
    return step.ok ? step.room : now
  }, room)
}

/** The room with exactly these members and advisers. Other members leave. */
export function setMembers(room: Room, seats: { members: readonly string[]; advisers?: readonly string[] }, at: number): Room {
  const { members, advisers = [] } = seats
  const leaving = room.members.filter((who) => who !== room.lead && !members.includes(who) && !advisers.includes(who))
  const moves: RoomMove[] = [
    ...members
      .filter((who) => !room.members.includes(who) || room.advisers.includes(who))
      .map((who): RoomMove => ({ type: 'join', who, at })),
    ...advisers.filter((who) => !room.advisers.includes(who)).map((who): RoomMove => ({ type: 'join', who, adviser: true, at })),
    ...leaving.map((who): RoomMove => ({ type: 'leave', who, at })),
  ]
  return moves.reduce((now, move) => {
    const step = advanceRoom(now, move)
    return step.ok ? step.room : now
  }, room)
}

function movesOf(room: Room, envelope: MessageFacts, server: string): RoomMove[] {
  const at = Date.parse(envelope.received_at)
  const by = envelope.sender_id
  const data = envelope.parts.find((part) => part.data)?.data
  if (by === server) return serverMoves(room, data ?? {}, at)
  const next = envelope.next_speakers ?? (envelope.expects === 'reply' ? envelope.to : undefined) ?? []
  const task = envelope.task_id ?? ''
  const isAssignee = room.tasks[task]?.assignee === by
  const act = readSpeechAct(envelope.type)
  switch (act) {
    case 'sync_task_assignment':
    case 'async_task_assignment': {
      const [to = ''] = envelope.to ?? []
      return task === '' ? [] : [{ type: 'assign', by, task, to, mode: act === 'sync_task_assignment' ? 'sync' : 'async', at }]
    }
    case 'task_result':
      return isAssignee ? [{ type: 'end', task, as: 'completed', at }] : []
    case 'error':
      return isAssignee ? [{ type: 'end', task, as: 'failed', at }] : []
    case 'task_progress':
    case 'accept':
    case 'decline':
    case 'invite':
      return []
    case 'cancel':
      return by === room.client && data?.kind === 'goal.stopped' ? [{ type: 'cancel', at }] : []
    case 'pause':
      return [{ type: 'pause', by, triggers: envelope.triggers ?? [], at }]
    case 'conclusion':
      return [{ type: isGivenUp(envelope) ? 'give_up' : 'conclude', by, at }]
    case 'conclude':
      // "Let us conclude": the lead posts last.
      return [{ type: 'post', by, next: [room.lead], at }]
    case 'discussion':
    case 'propose':
    case 'vote':
      return [room.state === 'concluded' && by === room.client ? { type: 'follow_up', by, at } : { type: 'post', by, next, at }]
    default:
      return act satisfies never
  }
}

/** Whether any part of the message states that there is no result. */
function isGivenUp(envelope: MessageFacts): boolean {
  return envelope.parts.some((part) => part.data?.kind === 'conclusion' && part.data.outcome === 'failed')
}

function serverMoves(room: Room, data: { readonly [key: string]: unknown }, at: number): RoomMove[] {
  switch (data.kind) {
    case 'task.expired':
      return typeof data.task_id === 'string' ? [{ type: 'end', task: data.task_id, as: 'failed', at }] : []
    case 'task.returned':
    case 'revision.requested':
      return [{ type: 'return', by: room.client, tasks: strings(data.task_ids), at }]
    case 'room.halted':
      return [{ type: 'halt', why: typeof data.reason === 'string' ? data.reason : '', at }]
    case 'room.resumed':
      return [{ type: 'resume', by: room.client, at }]
    case 'hold.captured':
      return Object.keys(room.tasks).flatMap((task): RoomMove[] => [
        { type: 'accept', task, at },
        { type: 'pay', task, at },
      ])
    case 'revision.expired':
      return [{ type: 'conclude', by: room.lead, at }]
    case 'work.expired':
      return [{ type: 'give_up', by: room.lead, at }]
    case 'sub_team.ended':
      return [data.outcome === 'completed' ? { type: 'conclude', by: room.lead, at } : { type: 'cancel', at }]
    case 'hold.voided':
    case 'goal.stopped':
      return [{ type: 'cancel', at }]
    default:
      return []
  }
}
