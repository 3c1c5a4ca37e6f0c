/**
 * A team for a task: who has one hires others for parts of it, pays them out of its own step, and leads them in a room of
 * their own, by the words that a principal has. @see SPEC.md#sub-teams
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
import type { Session } from '../client/client.ts'
import type { Conversation, TaskView } from '../conversation/reduce.ts'
import { charterRecorded, nextVersion, unsigned } from '../conversation/selectors.ts'
import { ProblemError, teamFailed } from '../errors.ts'
import type { Assignment } from '../messages/inbox-messages.ts'
import { type Bell, createBell } from './activity-signal.ts'

/** A part of the task, for somebody else. `after`: places of earlier parts in the list, from 0, whose files it takes. */
export type TeamPart = {
  readonly skill_id: string
  readonly title?: string
  /** What it works on besides the files of `after`, which go to the ports of their types. */
  readonly inputs?: readonly TaskInput[]
  readonly after?: readonly number[]
  readonly task_desc?: string
  /** Who, where it is to be somebody in particular; and for how much, where it is to be more than its price. Base units. */
  readonly agent_id?: string
  readonly amount?: bigint
  readonly mode?: 'sync' | 'async'
}

/** What a part came to. */
export type TeamWork = {
  readonly agent_id: string
  readonly did: string
  /** Base units. */
  readonly amount: bigint
  readonly text: string
  readonly artifacts: readonly ArtifactRef[]
  /** The bytes of one of them, by its hash. */
  read(sha256: string): Promise<Uint8Array>
}

export type TeamOptions = {
  readonly signal?: AbortSignal
  /** How long the hired may take to answer before others are asked, milliseconds. */
  readonly patienceMs?: number
}

type Candidate = { readonly listing: Listing; readonly skill: Skill }
type Own = {
  readonly session: Session
  readonly bell: Bell
  readonly task: Assignment
  readonly room: { readonly group_id: string; readonly step: number; readonly goal_id: string }
}

const maxTries = 8
/** A message wakes whoever waits here; this is for what no message tells. */
const lookAgainMs = 5_000
/** How long the chain may take over a charter. */
const recordMs = 120_000

/**
 * Opens the room, hires the cheapest who are online, waits until the charter that pays them is on the rail, hands out the parts
 * as what they wait for is done, and resolves with what all of them have made. What it costs leaves this agent's own step.
 * @throws {ProblemError} `session.team_failed` where nobody can be had for a part, or one fails; the task itself is still this agent's
 */
export async function leadTeam(
  session: Session,
  task: Assignment,
  parts: readonly TeamPart[],
  options: TeamOptions = {},
): Promise<TeamWork[]> {
  const { task_id } = task
  const room = await session.send({ type: 'team.nest', task_id: task_id as TaskId })
  const bell = createBell(session, [task.group_id, room.group_id], options.signal)
  try {
    const own: Own = { session, bell, task, room }
    const conversation = await session.conversation(room.group_id)
    const before = conversation.charter
    // Hired before this process was started again: they go on where they are.
    const isHired = before?.steps.some((step) => step.group_id === room.group_id) && charterRecorded(conversation)
    const charter = isHired && before ? before : await hireAll(own, parts, options)
    return await workThrough(own, charter, parts)
  } finally {
    bell.stop()
  }
}

/** Proposes until everybody has agreed and the rail has it. Who declines or stays silent is not asked again. */
async function hireAll(own: Own, parts: readonly TeamPart[], options: TeamOptions): Promise<Charter> {
  const { session, room } = own
  const lost = new Set<string>()
  const until = Date.now() + recordMs
  for (let tries = 0; tries < maxTries; ) {
    options.signal?.throwIfAborted()
    const before = await session.conversation(own.task.group_id)
    const base = before.charter
    if (!base) throw teamFailed('The room of the task has no charter.')
    const chosen = await chooseAll(own, base, parts, lost)
    const steps = parts.map((part, place) => stepOf(part, place, chosen))
    const charter = hireInto(base, { ...room, steps, version: nextVersion(before) })
    const hash = await proposed(own, charter)
    if (hash === null) {
      // Others are at it: that is no try of ours.
      if (Date.now() > until) throw teamFailed('The charter of the goal is being changed by others.')
      await movedOn(own, before)
      continue
    }
    tries++
    for (const did of await silentAfter(own, hash, options)) lost.add(did)
    if (chosen.some(({ listing }) => lost.has(listing.did ?? ''))) continue
    if (await sealed(own, hash, options)) return charter
  }
  throw teamFailed(`A team was not agreed on in ${maxTries} tries.`)
}

/** Until the charter of the task's room is another one than before, or as recorded as it was not; or for a while. */
async function movedOn({ session, bell, task }: Own, before: Conversation): Promise<void> {
  for (const until = Date.now() + lookAgainMs; Date.now() < until; await bell.rest(until - Date.now())) {
    const { charterHash, recorded, withdrawn } = await session.conversation(task.group_id)
    const isSame = charterHash === before.charterHash && recorded?.version === before.recorded?.version
    if (!isSame || withdrawn?.version !== before.withdrawn?.version) return
  }
}

const later = new Set(['team.busy', 'team.charter_changed', 'team.charter_invalid'])

/** Null where the server's refusal is one that another try may meet. */
async function proposed({ session, room }: Own, charter: Charter): Promise<string | null> {
  try {
    return (await session.proposeTeam({ goal_id: room.goal_id, group_id: room.group_id, charter })).charter_hash
  } catch (error) {
    if (error instanceof ProblemError && later.has(error.code)) return null
    throw error
  }
}

/** Seals as soon as all others whom the charter pays have signed, and waits for the record. False: the charter has moved on. */
async function sealed({ session, bell, room, task }: Own, hash: string, { patienceMs = 30_000 }: TeamOptions): Promise<boolean> {
  const ids = { goal_id: room.goal_id, group_id: room.group_id }
  for (const until = Date.now() + patienceMs; ; await bell.rest(Math.min(lookAgainMs, until - Date.now()))) {
    const isSealed = await session.sealTeam(ids).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      if (later.has(error.code)) return false
      // Others have to sign too, where the charter in force is agreed on chain.
      if (error.code === 'team.incomplete') return null
      throw error
    })
    if (isSealed === false) return false
    if (isSealed !== null) break
    if (Date.now() >= until) throw teamFailed('Not everybody whom the charter pays has signed it.')
  }
  for (const until = Date.now() + recordMs; ; await bell.rest(lookAgainMs)) {
    const conversation = await session.conversation(room.group_id)
    const { withdrawn } = conversation
    if (withdrawn?.charter_hash === hash) throw teamFailed(`The charter is not recorded: ${withdrawn.reason}`)
    if (charterRecorded(conversation)) return true
    if (Date.now() > until) throw teamFailed('The charter was not recorded.')
    if (conversation.closed) throw teamFailed(`Task ${task.task_id} has ended.`)
  }
}

/** Waits for the answers of the hired; names those who declined or did not answer in time. */
async function silentAfter({ session, bell, room }: Own, hash: string, { patienceMs = 30_000 }: TeamOptions): Promise<string[]> {
  for (const until = Date.now() + patienceMs; ; await bell.rest(Math.min(lookAgainMs, until - Date.now()))) {
    const conversation = await session.conversation(room.group_id)
    const isHeard = conversation.charterHash === hash
    if (isHeard && conversation.declined.length > 0) return conversation.declined.map((one) => one.did)
    const waiting = unsigned(conversation)
    if (isHeard && waiting.length === 0) return []
    if (Date.now() >= until) return waiting
  }
}

async function chooseAll(own: Own, base: Charter, parts: readonly TeamPart[], lost: ReadonlySet<string>): Promise<Candidate[]> {
  const step = base.steps.find((one) => one.step === own.room.step)
  if (!step) throw teamFailed(`The charter has no step ${own.room.step}.`)
  const chosen: Candidate[] = []
  for (const part of parts) {
    const { listings } = await own.session.discover({ skill_id: part.skill_id, online: true, limit: 100 })
    const fit = listings
      .flatMap((listing) => listing.skills.filter((skill) => skill.id === part.skill_id).map((skill) => ({ listing, skill })))
      .filter(({ listing: { did, agent_id } }) => did && !lost.has(did) && (part.agent_id === undefined || part.agent_id === agent_id))
      .filter(({ listing }) => circleFault(base, step, listing.did ?? '') === null)
      .toSorted((a, b) => Number(BigInt(a.skill.price) - BigInt(b.skill.price)))
    const [candidate] = fit
    if (!candidate) throw teamFailed(`Nobody online can be hired for ${part.skill_id}.`)
    chosen.push(candidate)
  }
  const cost = chosen.reduce((sum, { skill }, place) => sum + (parts[place]?.amount ?? BigInt(skill.price)), 0n)
  if (cost > BigInt(step.amount)) throw teamFailed(`The team would cost ${cost}, the step has ${step.amount}.`)
  return chosen
}

function stepOf(
  { skill_id, title, after = [], amount, mode = 'async', inputs = [] }: TeamPart,
  place: number,
  chosen: readonly Candidate[],
): HiredStep {
  const { listing, skill } = chosen[place] as Candidate
  const owed = (listing.royalties ?? []).map(({ agent_id, payee, bps }) => ({ agent_id, to: payee, bps }))
  return {
    title: (title ?? skill.name).slice(0, 120),
    skill_id,
    agent_id: listing.agent_id,
    // Only listings with a DID were chosen from.
    sender_id: listing.did as HiredStep['sender_id'],
    payee: listing.payout,
    amount: (amount ?? BigInt(skill.price)).toString(),
    mode,
    inputs: inputs.filter(({ artifact }) => !artifact).map(({ port, type, data }) => ({ port, type, ...(data && { data }) })),
    outputs: [...new Set(skill.outputs.map((port) => port.type))],
    ...(owed.length > 0 && { royalties: owed }),
    after,
  }
}

/** Hands out what may be, until everything is done. */
async function workThrough(own: Own, charter: Charter, parts: readonly TeamPart[]): Promise<TeamWork[]> {
  const { session, bell, room } = own
  const steps = charter.steps.filter((step) => step.group_id === room.group_id && !step.dropped)
  for (;;) {
    const { tasks, closed } = await session.conversation(room.group_id)
    const at = steps.map((step) => [...tasks.values()].findLast((task) => task.step === step.step))
    const fallen = at.find((task) => task && ['failed', 'expired', 'returned'].includes(task.status))
    if (fallen) throw teamFailed(`Step ${fallen.step} (${fallen.skill_id}): ${fallen.text}`)
    if (closed) throw teamFailed('The task has ended.')
    if (at.every((task) => task?.status === 'completed')) return steps.map((step, place) => workOf(own, step, at[place] as TaskView))
    for (const [place, step] of steps.entries()) {
      const part = parts[place]
      const needed = (part?.after ?? []).map((earlier) => at[earlier])
      if (!part || at[place] || needed.some((task) => task?.status !== 'completed')) continue
      const made = await fromFiles(
        session,
        step.agent_id,
        part.skill_id,
        needed.flatMap((task) => [...(task?.artifacts ?? [])]),
      )
      const task_id = prefixedId('tsk', uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))) as TaskId
      const inputs = [...(part.inputs ?? []), ...made]
      const task_desc = part.task_desc ?? step.title
      await session.assignTask({ goal_id: room.goal_id, group_id: room.group_id, task_id, step: step.step, inputs, task_desc })
    }
    await bell.rest(lookAgainMs)
  }
}

/** Files by the ports of their types; one that no port takes is left out. */
async function fromFiles(session: Session, agent_id: string, skill_id: string, files: readonly ArtifactRef[]): Promise<TaskInput[]> {
  if (files.length === 0) return []
  const { listings } = await session.discover({ skill_id, limit: 100 })
  const ports = listings.find((one) => one.agent_id === agent_id)?.skills.find((skill) => skill.id === skill_id)?.inputs ?? []
  return files.flatMap((artifact) => {
    const port = ports.find((one) => one.type === artifact.artifact_type)
    return port ? [{ port: port.name, type: port.type, artifact }] : []
  })
}

function workOf({ session, room }: Own, { agent_id, sender_id, amount }: Charter['steps'][number], task: TaskView): TeamWork {
  const { group_id } = room
  const read = async (sha256: string) => (await session.getArtifact({ group_id, sha256 })).bytes
  return { agent_id, did: sender_id, amount: BigInt(amount), text: task.text, artifacts: task.artifacts, read }
}
