/**
 * Reducer from messages to the state of one room: no I/O, no clock, no randomness. It never throws. Unknown states, acts and kinds
 * of data count as discussion. A message changes nothing if its sender has no right to it, for example a result from another agent
 * than the assignee.
 */
import {
  applyMessageToRoom,
  Charter,
  canFollow,
  conversationTransitions,
  type DeliveredEnvelope,
  type Envelope,
  EscrowPlan,
  leadOfRoom,
  type Room,
  readConversationState,
  readSpeechAct,
  setMembers,
  startRoom,
  stepsOfRoom,
  TaskInput,
} from '@parley/protocol'
import type { Conversation, TaskView } from './conversation.ts'
import { findMessageData, type MessageData } from './message-data.ts'
import { nextPlanDocument } from './plan-document.ts'
import { endedStatuses, findLead, findStep } from './selectors.ts'

/** Bounds the memory that the assignments of one room take. */
const maxTasks = 1_000

const asString = (value: unknown): string => (typeof value === 'string' ? value : '')
const asStrings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
const textOf = (envelope: Envelope): string =>
  envelope.parts
    .map((part) => part.text ?? '')
    .filter(Boolean)
    .join('\n')

/** The state after the next message of the room. A message that is already included changes nothing. */
export function reduceConversation(before: Conversation, envelope: Envelope): Conversation {
  const after = reduceMessage(before, envelope)
  if (after === before) return before
  return { ...after, room: reduceRoom(before, after, envelope as DeliveredEnvelope) }
}

function reduceRoom(before: Conversation, after: Conversation, envelope: DeliveredEnvelope): Room | null {
  const { charter } = after
  if (!charter) return null
  const at = Date.parse(envelope.received_at)
  if (charter !== before.charter || !before.room) {
    const lead = leadOfRoom(charter, after.room_id) ?? charter.principal_id
    const members = [lead, ...stepsOfRoom(charter, after.room_id).map((step) => step.sender_id)]
    const room = before.room ?? startRoom({ lead, client: charter.client_id, at })
    const advisers = after.room_id === charter.room_id ? (charter.advisers ?? []) : []
    return setMembers(room, { members, advisers: advisers.map((one) => one.sender_id) }, at)
  }
  const isAssignment = /^a?sync_task_assignment$/.test(envelope.type)
  // An assignment of a step that the charter lacks is ignored. A valid one goes to the agent that the charter names.
  if (isAssignment && after.tasks === before.tasks) return before.room
  const assignee = after.tasks.get(envelope.task_id ?? '')?.assignee
  return applyMessageToRoom(before.room, isAssignment && assignee ? { ...envelope, to: [assignee] } : envelope, after.server)
}

function reduceMessage(before: Conversation, envelope: Envelope): Conversation {
  const seq = envelope.seq ?? 0
  if (envelope.room_id !== before.room_id || seq <= before.seq) return before
  const requested = readConversationState(envelope.state)
  const c: Conversation = {
    ...before,
    seq,
    state: canFollow(conversationTransitions, before.state, requested) ? requested : before.state,
    nextSpeakers: envelope.next_speakers ?? (envelope.expects === 'reply' || envelope.expects === 'result' ? (envelope.to ?? []) : []),
    lastSpeaker: envelope.sender_id,
  }
  return envelope.sender_id === c.server ? reduceServerMessage(c, envelope) : reduceMemberMessage(c, envelope)
}

function reduceMemberMessage(c: Conversation, envelope: Envelope): Conversation {
  const isLead = c.charter === null || findLead(c) === envelope.sender_id
  const withPlan = isLead
    ? { ...c, plan: findMessageData(envelope, 'plan') ?? c.plan, planDocument: nextPlanDocument(c.planDocument, envelope) }
    : c
  switch (readSpeechAct(envelope.type)) {
    case 'propose':
      return reduceProposal(withPlan, envelope)
    case 'accept':
      return c.charterHash !== null && findMessageData(envelope, 'charter.accept')?.charter_hash === c.charterHash
        ? { ...c, accepted: [...new Set([...c.accepted, envelope.sender_id])] }
        : c
    case 'decline':
      return { ...c, declined: [...c.declined, { did: envelope.sender_id, reason: textOf(envelope) }].slice(-maxTasks) }
    case 'sync_task_assignment':
    case 'async_task_assignment':
      return reduceAssignment(c, envelope)
    case 'task_progress':
      return updateOwnTask(c, envelope, (task) => {
        const done = findMessageData(envelope, 'progress')?.done
        return { ...task, status: 'working', text: textOf(envelope) || task.text, done: typeof done === 'number' ? done : task.done }
      })
    case 'task_result':
      return updateOwnTask(c, envelope, (task) => ({
        ...task,
        status: 'completed',
        done: 100,
        text: textOf(envelope),
        artifacts: envelope.parts.flatMap((part) => part.artifact ?? []),
      }))
    case 'error':
      return updateOwnTask(c, envelope, (task) => ({ ...task, status: 'failed', text: textOf(envelope) }))
    case 'pause':
      return envelope.sender_id === findLead(c) ? { ...c, pausedFor: envelope.triggers ?? [] } : c
    case 'conclusion':
      return envelope.sender_id === findLead(c)
        ? { ...c, concluded: { outcome: asString(findMessageData(envelope, 'conclusion')?.outcome), parts: envelope.parts } }
        : c
    default:
      return withPlan
  }
}

function reduceProposal(c: Conversation, envelope: Envelope): Conversation {
  const data = findMessageData(envelope, 'charter')
  const parsed = Charter.safeParse(data?.charter)
  if (!parsed.success || !data) return c
  const charter = parsed.data
  const lead = leadOfRoom(charter, c.room_id)
  if (lead !== envelope.sender_id || (c.charter && findLead(c) !== lead)) return c
  // A sub-team may propose another charter with the same version. It has effect only if it becomes the goal's charter.
  const isNested = charter.room_id !== c.room_id
  if (c.charter && (isNested ? charter.version < c.charter.version : charter.version <= c.charter.version)) return c
  return { ...c, charter, charterHash: asString(data.charter_hash), accepted: [], declined: [] }
}

function reduceAssignment(c: Conversation, envelope: Envelope): Conversation {
  const data = findMessageData(envelope, 'task')
  const step = typeof data?.step === 'number' ? findStep(c, data.step) : undefined
  const task_id = envelope.task_id ?? asString(data?.task_id)
  if (!data || !step || !task_id || envelope.sender_id !== findLead(c) || c.tasks.has(task_id)) return c
  const tasks = new Map(c.tasks)
  if (tasks.size >= maxTasks) for (const task of tasks.values()) if (endedStatuses.has(task.status)) tasks.delete(task.task_id)
  if (tasks.size >= maxTasks) return c
  tasks.set(task_id, {
    task_id,
    step: step.step,
    skill_id: step.skill_id,
    mode: readSpeechAct(envelope.type) === 'async_task_assignment' ? 'async' : 'sync',
    assignee: step.sender_id,
    inputs: parseTaskInputs(data.inputs),
    status: 'submitted',
    done: 0,
    artifacts: [],
    text: envelope.task_desc ?? '',
    seq: c.seq,
  })
  return { ...c, tasks }
}

/** The valid inputs of a list; invalid ones are left out. */
export function parseTaskInputs(value: unknown): TaskInput[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one) => {
    const parsed = TaskInput.safeParse(one)
    return parsed.success ? [parsed.data] : []
  })
}

function updateTask(c: Conversation, task_id: string, next: (task: TaskView) => TaskView): Conversation {
  const task = c.tasks.get(task_id)
  return task ? { ...c, tasks: new Map(c.tasks).set(task_id, next(task)) } : c
}

/** Updates an open task of the message's sender. */
function updateOwnTask(c: Conversation, envelope: Envelope, next: (task: TaskView) => TaskView): Conversation {
  const task = c.tasks.get(envelope.task_id ?? '')
  if (!task || task.assignee !== envelope.sender_id || endedStatuses.has(task.status)) return c
  return updateTask(c, task.task_id, next)
}

function reduceServerMessage(c: Conversation, envelope: Envelope): Conversation {
  const data: MessageData = envelope.parts.find((part) => part.data)?.data ?? {}
  const reason = asString(data.reason) || textOf(envelope)
  switch (data.kind) {
    case 'charter.carried_over':
      return data.charter_hash === c.charterHash ? { ...c, accepted: [...new Set([...c.accepted, ...asStrings(data.members)])] } : c
    case 'charter.amended':
      return reduceAmendment(c, data)
    case 'charter.withdrawn':
      return reduceWithdrawal(c, data, reason)
    case 'sub_team.ended':
      return data.room_id === c.room_id ? { ...c, closed: 'ended' } : c
    case 'charter.recorded':
      return {
        ...c,
        recorded: {
          version: typeof data.version === 'number' ? data.version : 0,
          charter_hash: asString(data.charter_hash),
          plan_id: asString(data.plan_id),
          tx: asString(data.tx),
          plan: EscrowPlan.safeParse(data.plan).data ?? null,
        },
      }
    case 'task.expired':
      return updateTask(c, asString(data.task_id), (task) =>
        endedStatuses.has(task.status) ? task : { ...task, status: 'expired', text: reason },
      )
    case 'task.returned':
    case 'revision.requested':
      return asStrings(data.task_ids).reduce<Conversation>(
        (sum, id) => updateTask(sum, id, (task) => ({ ...task, status: 'returned', text: reason })),
        c,
      )
    case 'hold.captured':
      return { ...c, closed: 'captured' }
    case 'hold.voided':
      return { ...c, closed: 'voided' }
    case 'goal.stopped':
      return { ...c, closed: 'stopped' }
    default:
      return c
  }
}

/** A sub-team was hired. The new version keeps the steps that this room's members have signed, so their acceptance holds. */
function reduceAmendment(c: Conversation, data: MessageData): Conversation {
  const amended = Charter.safeParse(data.charter)
  const isNewer = amended.success && amended.data.version > (c.charter?.version ?? 0) && amended.data.goal_id === c.charter?.goal_id
  return isNewer ? { ...c, charter: amended.data, charterHash: asString(data.charter_hash) } : c
}

/** The rail refused a charter permanently. The charter in force is the room's again. */
function reduceWithdrawal(c: Conversation, data: MessageData, reason: string): Conversation {
  const withdrawn = { version: typeof data.version === 'number' ? data.version : 0, charter_hash: asString(data.charter_hash), reason }
  if (withdrawn.charter_hash !== c.charterHash) return { ...c, withdrawn }
  const inForce = data.in_force as { charter?: unknown; charter_hash?: unknown } | null | undefined
  const charter = Charter.safeParse(inForce?.charter)
  // A sub-team's room has no charter again if the charter has no step of it.
  const isOfRoom = charter.success && leadOfRoom(charter.data, c.room_id) !== undefined
  const [restored, hash] = isOfRoom ? [charter.data, asString(inForce?.charter_hash)] : [null, null]
  return { ...c, withdrawn, charter: restored, charterHash: hash, accepted: [], declined: [] }
}
