/**
 * A sub-team for a task. The assignee hires other agents for parts of the task, and pays them out of its own step. It leads them in a
 * separate room. @see SPEC.md#sub-teams
 */
import {
  type ArtifactRef,
  type Charter,
  circleFault,
  type HiredStep,
  hireInto,
  type Listing,
  prefixedId,
  type Skill,
  type TaskId,
  type TaskInput,
  uuidv7,
} from '@parley/protocol'
import type { Conversation, TaskView } from '../conversation/conversation.ts'
import { isCharterRecorded, listUnsigned, nextCharterVersion } from '../conversation/selectors.ts'
import { ProblemError, teamFailed } from '../errors.ts'
import type { TaskAssignment } from '../messages/message-events.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { type ActivitySignal, createActivitySignal } from './activity-signal.ts'

/** A part of the task for another agent. */
export type SubTask = {
  readonly skill_id: string
  readonly title?: string
  /** Inputs beside the files of `after`. */
  readonly inputs?: readonly TaskInput[]
  /** Indexes (from 0) of earlier parts. This part starts when they are done, and receives their files by artifact type. */
  readonly after?: readonly number[]
  /** Instructions in plain text. */
  readonly task_desc?: string
  /** A particular agent. Default: the cheapest one online. */
  readonly agent_id?: string
  /** Pay in base units. Default: the price of the listing. */
  readonly amount?: bigint
  /** Default: `async`. */
  readonly mode?: 'sync' | 'async'
}

/** The delivered result of one hired agent. */
export type SubTaskResult = {
  readonly agent_id: string
  readonly did: string
  /** Base units. */
  readonly amount: bigint
  readonly text: string
  readonly artifacts: readonly ArtifactRef[]
  /** Downloads one of the artifacts. @throws {ProblemError} `session.artifact_differs` */
  read(sha256: string): Promise<Uint8Array>
}

/** Limits of the work of a sub-team. */
export type SubTeamOptions = {
  /** Stops the work when aborted. */
  readonly signal?: AbortSignal
  /** How long members may take to answer an invitation before others are invited, milliseconds; 30,000 by default. */
  readonly patienceMs?: number
}

type Candidate = { readonly listing: Listing; readonly skill: Skill }
type SubTeam = {
  readonly session: AgentSession
  readonly activity: ActivitySignal
  /** The task that the sub-team does a part of. */
  readonly task: TaskAssignment
  /** The sub-team's room, and the step that pays it. */
  readonly room: { readonly room_id: string; readonly step: number; readonly goal_id: string }
  readonly parts: readonly SubTask[]
  readonly signal: AbortSignal | undefined
  readonly patienceMs: number
}

const maxAttempts = 8
/** Messages end a wait early. This is the interval for changes without a message. */
const pollIntervalMs = 5_000
/** How long the rail may take to record a charter. */
const recordTimeoutMs = 120_000
/** Refusals of a charter after which a new attempt may succeed. */
const conflictCodes = new Set(['team.change_pending', 'team.charter_changed', 'team.charter_invalid'])

/**
 * Opens the sub-team's room, hires the cheapest agents online, and waits until the rail has recorded their charter. Then it assigns each
 * part when the parts before it are done. Resolves with all results, in the order of `parts`. The cost reduces this agent's own step.
 * @throws {ProblemError} `session.team_failed` if a part finds no agent, or fails; the task stays with this agent
 */
export async function leadSubTeam(
  session: AgentSession,
  task: TaskAssignment,
  parts: readonly SubTask[],
  { signal, patienceMs = 30_000 }: SubTeamOptions = {},
): Promise<SubTaskResult[]> {
  const room = await session.send({ type: 'sub_team.create', task_id: task.task_id as TaskId }).catch((error: unknown) => {
    throw error instanceof ProblemError && error.code === 'sub_team.refused' ? teamFailed(error.message) : error
  })
  const activity = createActivitySignal(session, [task.room_id, room.room_id], signal)
  try {
    const team: SubTeam = { session, activity, task, room, parts, signal, patienceMs }
    const conversation = await session.conversation(room.room_id)
    const existing = conversation.charter
    // After a restart of this process, a team that is hired already continues.
    const isHired = existing?.steps.some((step) => step.room_id === room.room_id) && isCharterRecorded(conversation)
    const charter = isHired && existing ? existing : await hireMembers(team)
    return await assignParts(team, charter)
  } finally {
    activity.close()
  }
}

/** Proposes charters until one is accepted and recorded. A member who declines or does not answer is not invited again. */
async function hireMembers(team: SubTeam): Promise<Charter> {
  const { session, room, parts } = team
  const unavailable = new Set<string>()
  const until = Date.now() + recordTimeoutMs
  for (let attempts = 0; attempts < maxAttempts; ) {
    team.signal?.throwIfAborted()
    const before = await session.conversation(team.task.room_id)
    const base = before.charter
    if (!base) throw teamFailed('The room of the task has no charter.')
    const chosen = await chooseCandidates(team, base, unavailable)
    const steps = parts.map((part, index) => toHiredStep(part, chosen[index] as Candidate))
    const charter = hireInto(base, { ...room, steps, version: nextCharterVersion(before) })
    const hash = await propose(team, charter)
    if (hash === null) {
      // Another sub-team changed the goal's charter. That does not count as an attempt.
      if (Date.now() > until) throw teamFailed('Other members keep changing the charter of the goal.')
      await waitForCharterChange(team, before)
      continue
    }
    attempts++
    for (const did of await waitForAnswers(team, hash)) unavailable.add(did)
    if (chosen.some(({ listing }) => unavailable.has(listing.did ?? ''))) continue
    if (await sealAndRecord(team, hash)) return charter
  }
  throw teamFailed(`No team was agreed on in ${maxAttempts} attempts.`)
}

/** Returns when the charter of the task's room has changed, or after the poll interval. */
async function waitForCharterChange({ session, activity, task }: SubTeam, before: Conversation): Promise<void> {
  for (const until = Date.now() + pollIntervalMs; Date.now() < until; await activity.wait(until - Date.now())) {
    const { charterHash, recorded, withdrawn } = await session.conversation(task.room_id)
    const isSame = charterHash === before.charterHash && recorded?.version === before.recorded?.version
    if (!isSame || withdrawn?.version !== before.withdrawn?.version) return
  }
}

/** The hash of the proposed charter; null if a new attempt may succeed. */
async function propose({ session, room }: SubTeam, charter: Charter): Promise<string | null> {
  try {
    return (await session.proposeTeam({ goal_id: room.goal_id, room_id: room.room_id, charter })).charter_hash
  } catch (error) {
    if (error instanceof ProblemError && conflictCodes.has(error.code)) return null
    throw error
  }
}

/** DIDs of members who declined or did not answer in time; empty when all have accepted. */
async function waitForAnswers({ session, activity, room, patienceMs }: SubTeam, hash: string): Promise<string[]> {
  for (const until = Date.now() + patienceMs; ; await activity.wait(Math.min(pollIntervalMs, until - Date.now()))) {
    const conversation = await session.conversation(room.room_id)
    const isCurrent = conversation.charterHash === hash
    if (isCurrent && conversation.declined.length > 0) return conversation.declined.map((one) => one.did)
    const unsigned = listUnsigned(conversation)
    if (isCurrent && unsigned.length === 0) return []
    if (Date.now() >= until) return unsigned
  }
}

/** Seals the charter and waits for its record. False if another charter took its place. */
async function sealAndRecord(team: SubTeam, hash: string): Promise<boolean> {
  return (await seal(team)) && (await waitForRecord(team, hash))
}

/** Seals as soon as all payees have signed. */
async function seal({ session, activity, room, patienceMs }: SubTeam): Promise<boolean> {
  const ids = { goal_id: room.goal_id, room_id: room.room_id }
  for (const until = Date.now() + patienceMs; ; await activity.wait(Math.min(pollIntervalMs, until - Date.now()))) {
    try {
      await session.sealTeam(ids)
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      if (conflictCodes.has(error.code)) return false
      // On chain, members outside this sub-team must sign, too.
      if (error.code !== 'team.incomplete') throw error
    }
    if (Date.now() >= until) throw teamFailed('Not every payee of the charter has signed it.')
  }
}

async function waitForRecord({ session, activity, room, task }: SubTeam, hash: string): Promise<true> {
  for (const until = Date.now() + recordTimeoutMs; ; await activity.wait(pollIntervalMs)) {
    const conversation = await session.conversation(room.room_id)
    const { withdrawn } = conversation
    if (withdrawn?.charter_hash === hash) throw teamFailed(`The charter was not recorded: ${withdrawn.reason}`)
    if (isCharterRecorded(conversation)) return true
    if (Date.now() > until) throw teamFailed(`The charter was not recorded within ${recordTimeoutMs / 1_000} s.`)
    if (conversation.closed) throw teamFailed(`Task ${task.task_id} has ended.`)
  }
}

/** The cheapest candidate for each part. */
async function chooseCandidates(team: SubTeam, base: Charter, unavailable: ReadonlySet<string>): Promise<Candidate[]> {
  const step = base.steps.find((one) => one.step === team.room.step)
  if (!step) throw teamFailed(`The charter has no step ${team.room.step}.`)
  const chosen: Candidate[] = []
  for (const part of team.parts) {
    const { listings } = await team.session.discover({ skill_id: part.skill_id, online: true, limit: 100 })
    const [candidate] = listings
      .flatMap((listing) => listing.skills.filter((skill) => skill.id === part.skill_id).map((skill) => ({ listing, skill })))
      .filter(
        ({ listing: { did, agent_id } }) => did && !unavailable.has(did) && (part.agent_id === undefined || part.agent_id === agent_id),
      )
      .filter(({ listing }) => circleFault(base, step, listing.did ?? '') === null)
      .toSorted((a, b) => Number(BigInt(a.skill.price) - BigInt(b.skill.price)))
    if (!candidate) throw teamFailed(`No agent online can be hired for ${part.skill_id}.`)
    chosen.push(candidate)
  }
  const cost = chosen.reduce((sum, { skill }, index) => sum + (team.parts[index]?.amount ?? BigInt(skill.price)), 0n)
  if (cost > BigInt(step.amount)) throw teamFailed(`The team would cost ${cost}. The step pays ${step.amount}.`)
  return chosen
}

function toHiredStep(
  { skill_id, title, after = [], amount, mode = 'async', inputs = [] }: SubTask,
  { listing, skill }: Candidate,
): HiredStep {
  const royalties = (listing.royalties ?? []).map(({ agent_id, payee, bps }) => ({ agent_id, to: payee, bps }))
  return {
    title: (title ?? skill.name).slice(0, 120),
    skill_id,
    agent_id: listing.agent_id,
    // Candidates are listings with a DID.
    sender_id: listing.did as HiredStep['sender_id'],
    payee: listing.payout,
    amount: (amount ?? BigInt(skill.price)).toString(),
    mode,
    inputs: inputs.filter(({ artifact }) => !artifact).map(({ port, type, data }) => ({ port, type, ...(data && { data }) })),
    outputs: [...new Set(skill.outputs.map((port) => port.type))],
    ...(royalties.length > 0 && { royalties }),
    after,
  }
}

/** Assigns each part when the parts before it are done, until all are done. */
async function assignParts(team: SubTeam, charter: Charter): Promise<SubTaskResult[]> {
  const { session, activity, room } = team
  const steps = charter.steps.filter((step) => step.room_id === room.room_id && !step.canceled)
  for (;;) {
    const { tasks, closed } = await session.conversation(room.room_id)
    const current = steps.map((step) => [...tasks.values()].findLast((task) => task.step === step.step))
    const failed = current.find((task) => task && ['failed', 'expired', 'returned'].includes(task.status))
    if (failed) throw teamFailed(`Step ${failed.step} (${failed.skill_id}): ${failed.text}`)
    if (closed) throw teamFailed('The task has ended.')
    if (current.every((task) => task?.status === 'completed'))
      return steps.map((step, index) => toResult(team, step, current[index] as TaskView))
    for (const [index, step] of steps.entries()) {
      const part = team.parts[index]
      const inputTasks = (part?.after ?? []).map((earlier) => current[earlier])
      if (!part || current[index] || inputTasks.some((task) => task?.status !== 'completed')) continue
      await assignPart(
        team,
        part,
        step,
        inputTasks.flatMap((task) => [...(task?.artifacts ?? [])]),
      )
    }
    await activity.wait(pollIntervalMs)
  }
}

async function assignPart(
  { session, room }: SubTeam,
  part: SubTask,
  step: Charter['steps'][number],
  files: readonly ArtifactRef[],
): Promise<void> {
  const fileInputs = await toInputs(session, step.agent_id, part.skill_id, files)
  const task_id = prefixedId('tsk', uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))) as TaskId
  const inputs = [...(part.inputs ?? []), ...fileInputs]
  const task_desc = part.task_desc ?? step.title
  await session.assignTask({ goal_id: room.goal_id, room_id: room.room_id, task_id, step: step.step, inputs, task_desc })
}

/** Files as inputs of the ports with their artifact types. A file without such a port is left out. */
async function toInputs(session: AgentSession, agent_id: string, skill_id: string, files: readonly ArtifactRef[]): Promise<TaskInput[]> {
  if (files.length === 0) return []
  const { listings } = await session.discover({ skill_id, limit: 100 })
  const ports = listings.find((one) => one.agent_id === agent_id)?.skills.find((skill) => skill.id === skill_id)?.inputs ?? []
  return files.flatMap((artifact) => {
    const port = ports.find((one) => one.type === artifact.artifact_type)
    return port ? [{ port: port.name, type: port.type, artifact }] : []
  })
}

function toResult({ session, room }: SubTeam, { agent_id, sender_id, amount }: Charter['steps'][number], task: TaskView): SubTaskResult {
  const { room_id } = room
  const read = async (sha256: string) => (await session.getArtifact({ room_id, sha256 })).bytes
  return { agent_id, did: sender_id, amount: BigInt(amount), text: task.text, artifacts: task.artifacts, read }
}
