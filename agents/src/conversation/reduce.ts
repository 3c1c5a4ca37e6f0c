/**
 * The conversation of one room as its messages tell it: a fold without I/O, clock or chance. It never throws. What this
 * version doesn't know (a state, an act, a kind of data) leaves the rest as it stood and counts as talk; what a sender had
 * no right to say (a charter by somebody other than its principal, a result by somebody other than the assignee, the
 * server's words in another mouth) changes nothing.
 */
import {
  type ArtifactRef,
  Charter,
  type ConversationState,
  canFollow,
  conversationTransitions,
  type DeliveredEnvelope,
  type Envelope,
  hear,
  leadOfRoom,
  type Part,
  type Room,
  readConversationState,
  readSpeechAct,
  seat,
  startRoom,
  stepsOfRoom,
  TaskInput,
} from '@parley/protocol'
import { type Data, dataOf } from './message-data.ts'
import { type PlanInWords, planAfter } from './plan-document.ts'
import { ended, leadOf, stepOf } from './selectors.ts'

export type TaskView = {
  readonly task_id: string
  readonly step: number
  readonly skill_id: string
  readonly mode: 'sync' | 'async'
  /** DID of the agent that has it. */
  readonly assignee: string
  readonly inputs: readonly TaskInput[]
  readonly status: 'submitted' | 'working' | 'completed' | 'failed' | 'expired' | 'returned'
  /** Per cent, where the worker could tell. */
  readonly done: number
  readonly artifacts: readonly ArtifactRef[]
  /** What the worker or the server said last about it. */
  readonly text: string
  /** The message that assigned it. */
  readonly seq: number
}

export type Conversation = {
  readonly group_id: string
  readonly server: string
  /** The last message folded in; 0 before the first. */
  readonly seq: number
  readonly state: ConversationState
  /** Who is asked to speak; empty: nobody in particular. */
  readonly nextSpeakers: readonly string[]
  readonly lastSpeaker: string | null
  /** The newest charter proposed, accepted or not. */
  readonly charter: Charter | null
  readonly charterHash: string | null
  readonly accepted: readonly string[]
  readonly declined: readonly { readonly did: string; readonly reason: string }[]
  /** The last version that the server has recorded on chain. */
  readonly recorded: { readonly version: number; readonly charter_hash: string; readonly plan_id: string; readonly tx: string } | null
  /** The last charter that the rail refused for good, and why: the one before it stays in force, and its version is used up. */
  readonly withdrawn: { readonly version: number; readonly charter_hash: string; readonly reason: string } | null
  readonly plan: Readonly<Record<string, unknown>> | null
  /** The newest version of the lead's plan in words: what a change of it is based on. */
  readonly planInWords: PlanInWords | null
  readonly tasks: ReadonlyMap<string, TaskView>
  /** After a `pause`: the tasks that must end before the room goes on. */
  readonly pausedFor: readonly string[]
  readonly concluded: { readonly outcome: string; readonly parts: readonly Part[] } | null
  /** `ended`: of a sub-team's room, whose task has ended. */
  readonly closed: 'captured' | 'voided' | 'stopped' | 'ended' | null
  /** Turns, tasks and pauses as the protocol's machine has them; null until a charter says who leads. */
  readonly room: Room | null
}

export function startConversation(group_id: string, server: string): Conversation {
  return {
    group_id,
    server,
    seq: 0,
    state: 'discussion',
    nextSpeakers: [],
    lastSpeaker: null,
    charter: null,
    charterHash: null,
    accepted: [],
    declined: [],
    recorded: null,
    withdrawn: null,
    plan: null,
    planInWords: null,
    tasks: new Map(),
    pausedFor: [],
    concluded: null,
    closed: null,
    room: null,
  }
}

/** A room that assigns without end must not take a reader's memory with it. */
const maxTasks = 1_000

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
const said = (envelope: Envelope): string =>
  envelope.parts
    .map((part) => part.text ?? '')
    .filter(Boolean)
    .join('\n')

/** Takes the next message of the room. One that was seen before changes nothing. */
export function fold(before: Conversation, envelope: Envelope): Conversation {
  const after = foldWords(before, envelope)
  if (after === before) return before
  return { ...after, room: roomAfter(before, after, envelope as DeliveredEnvelope) }
}

function roomAfter(before: Conversation, after: Conversation, envelope: DeliveredEnvelope): Room | null {
  const { charter } = after
  if (!charter) return null
  const at = Date.parse(envelope.received_at)
  if (charter !== before.charter || !before.room) {
    const lead = leadOfRoom(charter, after.group_id) ?? charter.principal_id
    const members = [lead, ...stepsOfRoom(charter, after.group_id).map((step) => step.sender_id)]
    const room = before.room ?? startRoom({ lead, client: charter.client_id, at })
    const advisers = after.group_id === charter.group_id ? (charter.advisers ?? []) : []
    return seat(room, { members, advisers: advisers.map((one) => one.sender_id) }, at)
  }
  const isAssignment = /^a?sync_task_assignment$/.test(envelope.type)
  // An assignment that the charter doesn't have is none; one that it has goes to whom the charter names.
  if (isAssignment && after.tasks === before.tasks) return before.room
  const assignee = after.tasks.get(envelope.task_id ?? '')?.assignee
  return hear(before.room, isAssignment && assignee ? { ...envelope, to: [assignee] } : envelope, after.server)
}

function foldWords(before: Conversation, envelope: Envelope): Conversation {
  const seq = envelope.seq ?? 0
  if (envelope.group_id !== before.group_id || seq <= before.seq) return before
  const asked = readConversationState(envelope.state)
  const c: Conversation = {
    ...before,
    seq,
    state: canFollow(conversationTransitions, before.state, asked) ? asked : before.state,
    nextSpeakers: envelope.next_speakers ?? (envelope.expects === 'reply' || envelope.expects === 'result' ? (envelope.to ?? []) : []),
    lastSpeaker: envelope.sender_id,
  }
  if (envelope.sender_id === c.server) return foldServer(c, envelope)
  const isLead = c.charter === null || leadOf(c) === envelope.sender_id
  const planned = isLead ? { ...c, plan: dataOf(envelope, 'plan') ?? c.plan, planInWords: planAfter(c.planInWords, envelope) } : c
  switch (readSpeechAct(envelope.type)) {
    case 'propose':
      return foldProposal(planned, envelope)
    case 'accept':
      return c.charterHash !== null && dataOf(envelope, 'charter.accept')?.charter_hash === c.charterHash
        ? { ...c, accepted: [...new Set([...c.accepted, envelope.sender_id])] }
        : c
    case 'decline':
      return { ...c, declined: [...c.declined, { did: envelope.sender_id, reason: said(envelope) }].slice(-maxTasks) }
    case 'sync_task_assignment':
    case 'async_task_assignment':
      return foldAssignment(c, envelope)
    case 'task_progress':
      return byAssignee(c, envelope, (task) => {
        const done = dataOf(envelope, 'progress')?.done
        return { ...task, status: 'working', text: said(envelope) || task.text, done: typeof done === 'number' ? done : task.done }
      })
    case 'task_result':
      return byAssignee(c, envelope, (task) => ({
        ...task,
        status: 'completed',
        done: 100,
        text: said(envelope),
        artifacts: envelope.parts.flatMap((part) => part.artifact ?? []),
      }))
    case 'error':
      return byAssignee(c, envelope, (task) => ({ ...task, status: 'failed', text: said(envelope) }))
    case 'pause':
      return envelope.sender_id === leadOf(c) ? { ...c, pausedFor: envelope.triggers ?? [] } : c
    case 'conclusion':
      return envelope.sender_id === leadOf(c)
        ? { ...c, concluded: { outcome: text(dataOf(envelope, 'conclusion')?.outcome), parts: envelope.parts } }
        : c
    default:
      return planned
  }
}

function foldProposal(c: Conversation, envelope: Envelope): Conversation {
  const data = dataOf(envelope, 'charter')
  const parsed = Charter.safeParse(data?.charter)
  if (!parsed.success || !data) return c
  const charter = parsed.data
  const lead = leadOfRoom(charter, c.group_id)
  if (lead !== envelope.sender_id || (c.charter && leadOf(c) !== lead)) return c
  // A sub-team may put another charter under the same version: it counts only where it becomes the goal's.
  const isNested = charter.group_id !== c.group_id
  if (c.charter && (isNested ? charter.version < c.charter.version : charter.version <= c.charter.version)) return c
  return { ...c, charter, charterHash: text(data.charter_hash), accepted: [], declined: [] }
}

function foldAssignment(c: Conversation, envelope: Envelope): Conversation {
  const data = dataOf(envelope, 'task')
  const step = typeof data?.step === 'number' ? stepOf(c, data.step) : undefined
  const task_id = envelope.task_id ?? text(data?.task_id)
  if (!data || !step || !task_id || envelope.sender_id !== leadOf(c) || c.tasks.has(task_id)) return c
  const tasks = new Map(c.tasks)
  if (tasks.size >= maxTasks) for (const task of tasks.values()) if (ended.has(task.status)) tasks.delete(task.task_id)
  if (tasks.size >= maxTasks) return c
  tasks.set(task_id, {
    task_id,
    step: step.step,
    skill_id: step.skill_id,
    mode: readSpeechAct(envelope.type) === 'async_task_assignment' ? 'async' : 'sync',
    assignee: step.sender_id,
    inputs: readInputs(data.inputs),
    status: 'submitted',
    done: 0,
    artifacts: [],
    text: envelope.task_desc ?? '',
    seq: c.seq,
  })
  return { ...c, tasks }
}

export function readInputs(value: unknown): TaskInput[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one) => {
    const parsed = TaskInput.safeParse(one)
    return parsed.success ? [parsed.data] : []
  })
}

function change(c: Conversation, task_id: string, next: (task: TaskView) => TaskView): Conversation {
  const task = c.tasks.get(task_id)
  return task ? { ...c, tasks: new Map(c.tasks).set(task_id, next(task)) } : c
}

function byAssignee(c: Conversation, envelope: Envelope, next: (task: TaskView) => TaskView): Conversation {
  const task = c.tasks.get(envelope.task_id ?? '')
  if (!task || task.assignee !== envelope.sender_id || ended.has(task.status)) return c
  return change(c, task.task_id, next)
}

/** Only the server's own key may say these. */
function foldServer(c: Conversation, envelope: Envelope): Conversation {
  const data: Data = envelope.parts.find((part) => part.data)?.data ?? {}
  const reason = text(data.reason) || said(envelope)
  switch (data.kind) {
    case 'charter.carried':
      return data.charter_hash === c.charterHash ? { ...c, accepted: [...new Set([...c.accepted, ...strings(data.members)])] } : c
    case 'charter.amended': {
      // A sub-team was hired: what this room's members have signed is in the new version as it was.
      const amended = Charter.safeParse(data.charter)
      const isNewer = amended.success && amended.data.version > (c.charter?.version ?? 0) && amended.data.goal_id === c.charter?.goal_id
      return isNewer ? { ...c, charter: amended.data, charterHash: text(data.charter_hash) } : c
    }
    case 'charter.withdrawn': {
      const withdrawn = { version: typeof data.version === 'number' ? data.version : 0, charter_hash: text(data.charter_hash), reason }
      const inForce = data.in_force as { charter?: unknown; charter_hash?: unknown } | null | undefined
      const charter = Charter.safeParse(inForce?.charter)
      if (withdrawn.charter_hash !== c.charterHash) return { ...c, withdrawn }
      // A sub-team's room has none again where nobody was hired before.
      const isOfRoom = charter.success && leadOfRoom(charter.data, c.group_id) !== undefined
      const [back, hash] = isOfRoom ? [charter.data, text(inForce?.charter_hash)] : [null, null]
      return { ...c, withdrawn, charter: back, charterHash: hash, accepted: [], declined: [] }
    }
    case 'team.ended':
      return data.group_id === c.group_id ? { ...c, closed: 'ended' } : c
    case 'charter.recorded':
      return {
        ...c,
        recorded: {
          version: typeof data.version === 'number' ? data.version : 0,
          charter_hash: text(data.charter_hash),
          plan_id: text(data.plan_id),
          tx: text(data.tx),
        },
      }
    case 'task.expired':
      return change(c, text(data.task_id), (task) => (ended.has(task.status) ? task : { ...task, status: 'expired', text: reason }))
    case 'task.returned':
      return strings(data.task_ids).reduce<Conversation>(
        (sum, id) => change(sum, id, (task) => ({ ...task, status: 'returned', text: reason })),
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
