/**
 * The high-level agent: a handler for each skill. It accepts teams that pay its prices, does its tasks, renews their leases, uploads
 * the results, and reports the reason if a task fails.
 */
import { type CharterStep, type Listing, type Signer, sha256, signerFromSeed } from '@parley/protocol'
import { type BoundedMap, createBoundedMap } from '../bounded-map.ts'
import { findStep } from '../conversation/selectors.ts'
import { isSessionError } from '../errors.ts'
import type { RoomMessage, TaskAssignment, TeamInvitation } from '../messages/message-events.ts'
import { createSemaphore, type Semaphore } from '../semaphore.ts'
import { type AgentSession, type ConnectOptions, connect } from '../session/agent-session.ts'
import { type CharterTracker, trackCharters } from './charter-tracker.ts'
import { leadSubTeam, type SubTask, type SubTeamOptions } from './lead-sub-team.ts'
import { serveCalls } from './serve-calls.ts'
import { requireHandler, type SkillHandlers, type SkillResult } from './skill.ts'
import { firstInput, loadSkillInputs } from './skill-input.ts'
import { failureReason, sendUnlessSettled, toUploads } from './skill-result.ts'

/** Decides on an invitation: true to accept, or the reason for declining, which the room sees. */
export type InvitationPolicy = (
  invitation: TeamInvitation,
  /** The steps that this agent would have, and its own listing if it was found. */
  own: { steps: readonly CharterStep[]; listing: Listing | undefined },
) => true | string | Promise<true | string>

/** Options of `agent`: those of a connection, and what the agent does with tasks, calls and invitations. */
export type AgentOptions = Omit<ConnectOptions, 'signer'> & {
  /** The agent's key. */
  readonly signer?: Signer
  /** The agent's key as 64 hex digits. Without `seed` and `signer`, the key is derived from the token. */
  readonly seed?: string
  /** By skill id, as in the listing. */
  readonly skills: SkillHandlers
  /** Default: `acceptListedPrice`. */
  readonly invitationPolicy?: InvitationPolicy
  /** Tasks and calls done at the same time, 4 by default. Others wait, with their leases renewed. */
  readonly concurrency?: number
  /** Interval at which leases are renewed, milliseconds; 20,000 by default. */
  readonly heartbeatMs?: number
}

/**
 * Derives a key from a token, for a first try. The issuer of the token could derive the same key. An agent that must be the only signer
 * with its key needs a separate seed.
 */
export async function seedFromToken(token: string): Promise<string> {
  return sha256(new TextEncoder().encode(`parley-seed-v1:${token}`))
}

/** Accepts if every own step has a skill of the listing and pays at least its price. */
export const acceptListedPrice: InvitationPolicy = (_invitation, { steps, listing }) => {
  if (!listing) return 'I could not find my own listing, so I know no price.'
  for (const step of steps) {
    const skill = listing.skills.find((one) => one.id === step.skill_id)
    if (!skill) return `I don't offer ${step.skill_id}.`
    if (BigInt(step.amount) < BigInt(skill.price)) return `Step ${step.step} pays ${step.amount}, my price is ${skill.price}.`
  }
  return true
}

type RunningTask = { readonly room_id: string; readonly abort: AbortController }

type State = {
  readonly session: AgentSession
  readonly skills: SkillHandlers
  readonly policy: InvitationPolicy
  readonly semaphore: Semaphore
  readonly heartbeatMs: number
  readonly charters: CharterTracker
  /** Ids of finished tasks: an assignment that is delivered again is not done again. */
  readonly finished: BoundedMap<true>
  /** By task id. */
  readonly running: Map<string, RunningTask>
}

/** Connects an agent and serves its skills until the session ends. @throws {ProblemError} the server's refusal */
export async function agent(options: AgentOptions): Promise<AgentSession> {
  const { seed, skills, invitationPolicy = acceptListedPrice, concurrency = 4, heartbeatMs = 20_000, ...rest } = options
  const signer = options.signer ?? (await signerFromSeed(seed ?? (await seedFromToken(rest.token ?? ''))))
  const session = await connect({ ...rest, signer })
  const state: State = {
    session,
    skills,
    policy: invitationPolicy,
    semaphore: createSemaphore(concurrency),
    heartbeatMs,
    charters: trackCharters(session),
    finished: createBoundedMap(10_000),
    running: new Map(),
  }
  session.on('invite', (invitation) => answerInvitation(state, invitation))
  session.on('message', (message) => abortEndedTasks(state, message))
  session.on('end', () => {
    for (const { abort } of state.running.values()) abort.abort()
  })
  session.on('task', (task) => runTask(state, task))
  serveCalls(session, skills, state.semaphore)
  return session
}

async function answerInvitation({ session, skills, policy, charters }: State, invitation: TeamInvitation): Promise<void> {
  const { goal_id, room_id, charter, charter_hash, hired_by } = invitation
  const steps = charter.steps.filter((step) => step.sender_id === session.did)
  if (steps.length === 0) return
  const unknown = steps.find((step) => !Object.hasOwn(skills, step.skill_id))
  const verdict = unknown
    ? `This agent has no skill ${unknown.skill_id}.`
    : charters.keepsOwnSteps(invitation) || (await policy(invitation, { steps, listing: await findOwnListing(session, steps) }))
  // A newer version may exist, or the goal may have ended. Then no answer is needed.
  const isAnswered = await sendUnlessSettled(() =>
    verdict === true ? session.acceptTeam({ goal_id, room_id, charter_hash }) : session.declineTeam({ goal_id, room_id, reason: verdict }),
  )
  // A sub-team's charter is only proposed. It comes into force by its record, which the tracker reads from the room.
  if (isAnswered && verdict === true && room_id === charter.room_id && !hired_by) charters.recordAgreed(charter)
}

function abortEndedTasks({ running }: State, { envelope, kind, isFromServer }: RoomMessage): void {
  if (!isFromServer) return
  const data = envelope.parts.find((part) => part.data)?.data
  const endsRoom = kind === 'goal.stopped' || kind === 'work.expired' || kind === 'hold.voided' || kind === 'sub_team.ended'
  for (const [task_id, { room_id, abort }] of running) {
    if (room_id !== envelope.room_id) continue
    if (endsRoom || (kind === 'task.expired' && data?.task_id === task_id)) abort.abort()
  }
}

async function runTask(state: State, task: TaskAssignment): Promise<void> {
  const { task_id, room_id } = task
  if (state.finished.has(task_id) || state.running.has(task_id)) return
  const abort = new AbortController()
  state.running.set(task_id, { room_id, abort })
  try {
    await workOn(state, task, abort)
    state.finished.set(task_id, true)
  } finally {
    state.running.delete(task_id)
  }
}

async function workOn(state: State, task: TaskAssignment, abort: AbortController): Promise<void> {
  const { session } = state
  const ids = { task_id: task.task_id, room_id: task.room_id }
  const step = findStep(await session.conversation(task.room_id), task.step)
  if (!step || step.sender_id !== session.did) return
  // The first progress report also asks the server whether the task is this agent's.
  if (!(await sendUnlessSettled(() => session.progressTask({ ...ids, text: 'Begun.', done: 0 })))) return
  const stopHeartbeat = startHeartbeat(state, task, abort)
  const release = await state.semaphore(abort.signal)
  try {
    if (abort.signal.aborted) return
    const result = await callHandler(state, task, step, abort.signal)
    if (abort.signal.aborted) return
    const { artifacts, text } = toUploads(result, step.outputs[0])
    await sendUnlessSettled(() => session.completeTask({ ...ids, artifacts, text }))
  } catch (error) {
    // The end of the session does not fail the task: the server assigns it again to the next session.
    if (isSessionError(error)) throw error
    if (!abort.signal.aborted) await sendUnlessSettled(() => session.failTask({ ...ids, reason: failureReason(error) }))
  } finally {
    stopHeartbeat()
    release()
  }
}

/** Renews the lease until it is stopped. Aborts the task if the server reports that it is no longer this agent's. */
function startHeartbeat({ session, heartbeatMs }: State, task: TaskAssignment, abort: AbortController): () => void {
  const { task_id, room_id } = task
  let isPending = false
  const timer = setInterval(async () => {
    // While the server is unreachable, one pending heartbeat is enough.
    if (isPending) return
    isPending = true
    const isMine = await sendUnlessSettled(() => session.progressTask({ task_id, room_id })).catch(() => true)
    isPending = false
    if (!isMine) abort.abort()
  }, heartbeatMs)
  return () => clearInterval(timer)
}

async function callHandler({ session, skills }: State, task: TaskAssignment, step: CharterStep, signal: AbortSignal): Promise<SkillResult> {
  const { task_id, room_id } = task
  const handler = requireHandler(skills, task.skill_id)
  const inputs = await loadSkillInputs(task.inputs, async (sha256) => (await session.getArtifact({ room_id, sha256 })).bytes)
  const progress = async (text: string, done?: number) => {
    await sendUnlessSettled(() => session.progressTask({ task_id, room_id, text, ...(done !== undefined && { done }) }))
  }
  const team = (parts: readonly SubTask[], options: SubTeamOptions = {}) => leadSubTeam(session, task, parts, { signal, ...options })
  return handler({ inputs, input: firstInput(inputs), task, step, session, progress, team, signal })
}

/** The agent's own listing: first by a search for its handle, then by paging through the listings with its first skill. */
export async function findOwnListing(
  session: Pick<AgentSession, 'agent_id' | 'handle' | 'discover'>,
  steps: readonly CharterStep[],
): Promise<Listing | undefined> {
  const skill_id = steps[0]?.skill_id ?? ''
  const isOwn = (listing: Listing) => listing.agent_id === session.agent_id
  const found = (await session.discover({ skill_id, text: session.handle, limit: 20 })).listings.find(isOwn)
  if (found) return found
  for (let after: string | null | undefined; after !== null; ) {
    const page = await session.discover({ skill_id, limit: 100, ...(after && { after }) })
    const own = page.listings.find(isOwn)
    if (own) return own
    after = page.next
  }
  return undefined
}
