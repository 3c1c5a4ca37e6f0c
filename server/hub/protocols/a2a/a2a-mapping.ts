/** Maps goals and messages to the types of A2A, in both supported versions. Pure. */
import type { DeliveredEnvelope, Part } from '@parley/protocol'
import type { GoalUpdate } from '../goals/follow-goal.ts'
import type { GoalStatus, GoalView } from '../goals/goal-status.ts'

export type A2aVersion = '1.0' | '0.3'

type TaskState = 'input-required' | 'working' | 'completed' | 'canceled' | 'failed'

/**
 * A goal is an A2A task. It needs input while it waits for signatures or payment, and works otherwise.
 * It is completed when the planner has delivered. Acceptance by the client is reported in the metadata.
 */
export function taskStateOf({ goal: { state, outcome }, sign, pay, approve }: GoalStatus): TaskState {
  switch (state) {
    case 'funding':
      return sign || pay ? 'input-required' : 'working'
    case 'open':
    case 'underway':
      return approve ? 'input-required' : 'working'
    case 'canceled':
      return 'canceled'
    case 'review':
    case 'settling':
    case 'paid':
    case 'refunded':
      return outcome === 'delivered' ? 'completed' : outcome === 'stopped' ? 'canceled' : 'failed'
    default:
      return state satisfies never
  }
}

const stateName = (state: TaskState, version: A2aVersion): string =>
  version === '0.3' ? state : `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`

type A2aTask = { readonly status: object; readonly artifacts: readonly object[]; readonly [field: string]: unknown }
type ForeignPart = { readonly [field: string]: unknown }

/** Text, data, and files as their hash; members fetch files from the room. */
export function toParts(parts: readonly Part[], version: A2aVersion): ForeignPart[] {
  return parts.flatMap((part): ForeignPart[] => {
    if (part.text !== undefined) return [version === '0.3' ? { kind: 'text', text: part.text } : { text: part.text }]
    const data = part.data ?? (part.artifact && { artifact: part.artifact })
    return data ? [version === '0.3' ? { kind: 'data', data } : { data }] : []
  })
}

export function toMessage(input: { id: string; parts: readonly Part[]; isOwn: boolean; task?: GoalView }, version: A2aVersion): object {
  const { id, parts, isOwn, task } = input
  const role = isOwn ? 'user' : 'agent'
  return {
    ...(version === '0.3' && { kind: 'message' }),
    messageId: id,
    role: version === '0.3' ? role : `ROLE_${role.toUpperCase()}`,
    parts: toParts(parts, version),
    ...(task && { taskId: task.goal_id, contextId: task.room_id }),
  }
}

/** No further A2A updates follow: the rest is between client and market. */
export const isTerminal = (state: TaskState): boolean => state === 'completed' || state === 'canceled' || state === 'failed'

/** The stream events of an update: each message, then the artifacts of a final state, then the status. */
export function toStreamEvents(step: GoalUpdate, at: string, version: A2aVersion): { readonly seq: number; readonly event: object }[] {
  const { goal } = step.status
  const task = toTask(step.status, [], at, version)
  const state = taskStateOf(step.status)
  const ids = { taskId: goal.goal_id, contextId: goal.room_id }
  const status = (now: object, isFinal: boolean) =>
    version === '0.3' ? { kind: 'status-update', ...ids, status: now, final: isFinal } : { statusUpdate: { ...ids, status: now } }
  const during = stateName(isTerminal(state) ? 'working' : state, version)
  const history = step.messages.map(({ id, parts, sender_id, seq, received_at: timestamp }) => {
    const message = toMessage({ id, parts, isOwn: sender_id === goal.client_id, task: goal }, version)
    return { seq, event: status({ state: during, timestamp, message }, false) }
  })
  // The status would reveal the end before the remaining messages.
  if (!step.isCaughtUp) return history
  const artifacts = isTerminal(state) ? task.artifacts : []
  const made = artifacts.map((artifact) => {
    const update = { ...ids, artifact, append: false, lastChunk: true }
    return { seq: step.seq, event: version === '0.3' ? { kind: 'artifact-update', ...update } : { artifactUpdate: update } }
  })
  return [...history, ...made, { seq: step.seq, event: status(task.status, isTerminal(state)) }]
}

/** `said`: messages of the goal's room, oldest first. */
export function toTask(stands: GoalStatus, history: readonly DeliveredEnvelope[], at: string, version: A2aVersion): A2aTask {
  const { goal } = stands
  const state = taskStateOf(stands)
  const answer = Array.isArray(goal.answer) ? (goal.answer as Part[]) : []
  const wait = pendingRequestParts(stands)
  return {
    ...(version === '0.3' && { kind: 'task' }),
    id: goal.goal_id,
    contextId: goal.room_id,
    status: {
      state: stateName(state, version),
      timestamp: at,
      ...(wait.length > 0 && {
        message: toMessage(
          { id: `${goal.goal_id}-${stands.approve ? 'approve' : stands.pay ? 'pay' : 'sign'}`, parts: wait, isOwn: false, task: goal },
          version,
        ),
      }),
    },
    artifacts: answer.length === 0 ? [] : [{ artifactId: `${goal.goal_id}-answer`, name: 'answer', parts: toParts(answer, version) }],
    history: history.map(({ id, parts, sender_id }) => toMessage({ id, parts, isOwn: sender_id === goal.client_id, task: goal }, version)),
    metadata: {
      ...{ parley_state: goal.state, parley_outcome: goal.outcome },
      ...{ parley_budget: goal.budget, parley_budget_text: goal.budget_text },
    },
  }
}

/** What the client must provide: a signature, a payment, or an approval of the team. */
function pendingRequestParts({ goal, sign, pay, approve }: GoalStatus): Part[] {
  const how = 'send the `signature` as data to this task.'
  if (sign) {
    const text = `Sign this with the wallet that posted the goal. It sets ${sign.total_text} aside; the wallet has ${sign.balance_text}. Then ${how}`
    return [{ text }, { data: sign as unknown as NonNullable<Part['data']> }]
  }
  if (pay) return [{ text: `Pay the budget of ${goal.budget_text} by card at ${pay.url}` }, { data: pay }]
  if (!approve) return []
  const why = `Approve the team, which costs ${approve.total_text}:`
  const text = [why, ...approve.steps_text, `Sign this with the wallet that posted the goal, or with its session key, and ${how}`].join(
    '\n',
  )
  return [{ text }, { data: approve as unknown as NonNullable<Part['data']> }]
}

/** The text and data of a message, in the parts of either version. */
export function parseParts(parts: readonly { readonly [field: string]: unknown }[]): { text: string; data: { [field: string]: unknown } } {
  const texts: string[] = []
  let data: { [field: string]: unknown } = {}
  for (const part of parts) {
    if (typeof part.text === 'string') texts.push(part.text)
    if (typeof part.data === 'object' && part.data !== null && !Array.isArray(part.data)) data = { ...data, ...part.data }
  }
  return { text: texts.join('\n').trim(), data }
}
