/**
 * An agent in the friendly form: name your skills, and it accepts teams that pay their price, does its tasks with a
 * heartbeat, uploads what they make, and says in a sentence what went wrong when one fails.
 */
import { type CharterStep, type Listing, type Signer, sha256, signerFromSeed } from '@parley/protocol'
import type { ArtifactFile } from '../artifact.ts'
import { createRecent } from '../bounded-map.ts'
import { type ConnectOptions, connect, type Session } from '../client/client.ts'
import { stepOf } from '../conversation/selectors.ts'
import { ProblemError } from '../errors.ts'
import type { Assignment, CallRequest, Invite } from '../messages/inbox-messages.ts'
import { createPlaces } from '../semaphore.ts'
import { followCharters } from './charter-tracker.ts'
import { answerCalls } from './serve-calls.ts'
import { firstOf, readTaskInputs, type SkillInput } from './skill-input.ts'
import { filesOf, refusable, sentence } from './skill-result.ts'
import { leadTeam, type TeamOptions, type TeamPart, type TeamWork } from './sub-team.ts'

export type SkillTask = {
  /** By port. */
  readonly inputs: Readonly<Record<string, SkillInput>>
  /** The first of them, for skills that take one. */
  readonly input: SkillInput
  /** Where a team hands it a step. */
  readonly task?: Assignment
  readonly step?: CharterStep
  /** Where it is asked directly. */
  readonly call?: CallRequest
  readonly session: Session
  /** Tells the room how far it is, where there is a room. The lease is renewed anyway. */
  progress(text: string, done?: number): Promise<void>
  /** Hires others for parts of this task, out of its step, and leads them; resolves with what they have made. */
  team(parts: readonly TeamPart[], options?: TeamOptions): Promise<readonly TeamWork[]>
  /** Aborted when the work is no longer this agent's. */
  readonly signal: AbortSignal
}

/** A text becomes the skill's first output. */
export type SkillResult = string | { readonly artifacts: readonly ArtifactFile[]; readonly text?: string }
export type SkillHandler = (task: SkillTask) => SkillResult | Promise<SkillResult>

/** What an agent thinks of an invitation: true, or the reason for saying no. */
export type Policy = (
  invite: Invite,
  own: { steps: readonly CharterStep[]; listing: Listing | undefined },
) => true | string | Promise<true | string>

export type AgentOptions = Omit<ConnectOptions, 'signer'> & {
  readonly signer?: Signer
  /** 64 hex digits: the agent's key. Without seed and signer, the key is derived from the token. */
  readonly seed?: string
  readonly skills: Readonly<Record<string, SkillHandler>>
  readonly accept?: Policy
  /** Tasks worked on at once; further ones wait, their leases kept. */
  readonly concurrency?: number
  readonly heartbeatMs?: number
}

/**
 * The key of an agent that brings none: good for a first try, and for as long as the token is kept. Who issued the token
 * could derive it too; an agent that is to answer for its word has a seed of its own.
 */
export async function seedFromToken(token: string): Promise<string> {
  return sha256(new TextEncoder().encode(`parley-seed-v1:${token}`))
}

/** Accepts what pays every own step at least its listed price, for skills that this agent has. */
export const payAtLeastListed: Policy = (_invite, { steps, listing }) => {
  if (!listing) return 'My own listing is not to be found, so I know no price.'
  for (const step of steps) {
    const skill = listing.skills.find((one) => one.id === step.skill_id)
    if (!skill) return `I don't offer ${step.skill_id}.`
    if (BigInt(step.amount) < BigInt(skill.price)) return `Step ${step.step} pays ${step.amount}, my price is ${skill.price}.`
  }
  return true
}

export async function agent(options: AgentOptions): Promise<Session> {
  const { seed, skills, accept = payAtLeastListed, concurrency = 4, heartbeatMs = 20_000, ...rest } = options
  const signer = options.signer ?? (await signerFromSeed(seed ?? (await seedFromToken(rest.token ?? ''))))
  const session = await connect({ ...rest, signer })

  const finished = createRecent<true>(10_000)
  const running = new Map<string, { group_id: string; stop: AbortController }>()
  const places = createPlaces(concurrency)
  const standing = followCharters(session)

  session.on('invite', async (invite) => {
    const steps = invite.charter.steps.filter((step) => step.sender_id === session.did)
    const { goal_id, group_id, charter_hash } = invite
    if (steps.length === 0) return
    const foreign = steps.find((step) => !Object.hasOwn(skills, step.skill_id))
    const verdict = foreign
      ? `This agent does not do ${foreign.skill_id}.`
      : standing.isSame(invite) || (await accept(invite, { steps, listing: await ownListing(session, steps) }))
    // A newer version may stand by now, or the goal be over: then there is nothing left to answer.
    const answered = await refusable(() =>
      verdict === true
        ? session.acceptTeam({ goal_id, group_id, charter_hash })
        : session.declineTeam({ goal_id, group_id, reason: verdict }),
    )
    // What a sub-team only proposes stands for nobody yet; its record, or the server's word in the room, tells when it does.
    if (answered && verdict === true && group_id === invite.charter.group_id && !invite.hired_by) standing.agreed(invite.charter)
  })

  session.on('message', ({ envelope, kind, fromServer }) => {
    if (!fromServer) return
    const data = envelope.parts.find((part) => part.data)?.data
    for (const [task_id, { group_id, stop }] of running) {
      if (group_id !== envelope.group_id) continue
      if (
        (kind === 'task.expired' && data?.task_id === task_id) ||
        kind === 'goal.stopped' ||
        kind === 'hold.voided' ||
        kind === 'team.ended'
      )
        stop.abort()
    }
  })

  session.on('end', () => {
    for (const { stop } of running.values()) stop.abort()
  })

  session.on('task', async (task) => {
    if (finished.has(task.task_id) || running.has(task.task_id)) return
    const stop = new AbortController()
    running.set(task.task_id, { group_id: task.group_id, stop })
    try {
      await work(task, stop)
      finished.set(task.task_id, true)
    } finally {
      running.delete(task.task_id)
    }
  })

  async function work(task: Assignment, stop: AbortController): Promise<void> {
    const { task_id, group_id } = task
    const ids = { task_id, group_id }
    const step = stepOf(await session.conversation(group_id), task.step)
    if (!step || step.sender_id !== session.did) return
    // The first sign of life is also the question whether the task is ours: only the server's assignment makes it so.
    if (!(await refusable(() => session.progressTask({ ...ids, text: 'Begun.', done: 0 })))) return
    let beating = false
    const heartbeat = setInterval(async () => {
      // While the server is away one heartbeat waits for it; more would say nothing more.
      if (beating) return
      beating = true
      const mine = await refusable(() => session.progressTask(ids)).catch(() => true)
      beating = false
      if (!mine) stop.abort()
    }, heartbeatMs)
    const leave = await places(stop.signal)
    try {
      if (stop.signal.aborted) return
      const result = await perform(task, step, stop.signal)
      if (stop.signal.aborted) return
      const { artifacts, text } = filesOf(result, step.outputs[0])
      await refusable(() => session.completeTask({ ...ids, artifacts, text }))
    } catch (error) {
      // The session's own end is no failure of the task: it is delivered again to whoever comes back for it.
      if (error instanceof ProblemError && error.code.startsWith('session.')) throw error
      if (!stop.signal.aborted) await refusable(() => session.failTask({ ...ids, reason: sentence(error) }))
    } finally {
      clearInterval(heartbeat)
      leave()
    }
  }

  async function perform(task: Assignment, step: CharterStep, signal: AbortSignal): Promise<SkillResult> {
    const handler = Object.hasOwn(skills, task.skill_id) ? skills[task.skill_id] : undefined
    if (!handler) return Promise.reject(new RangeError(`This agent does not do ${task.skill_id}.`))
    const { group_id } = task
    const inputs = await readTaskInputs(task.inputs, async (sha256) => (await session.getArtifact({ group_id, sha256 })).bytes)
    const input = firstOf(inputs)
    const progress = async (text: string, done?: number) => {
      const { task_id } = task
      await refusable(() => session.progressTask({ task_id, group_id, text, ...(done !== undefined && { done }) }))
    }
    const team = (parts: readonly TeamPart[], given: TeamOptions = {}) => leadTeam(session, task, parts, { signal, ...given })
    return handler({ inputs, input, task, step, session, progress, team, signal })
  }

  answerCalls(session, skills, places)
  return session
}

/** Found by its handle where the registry's search has it, by paging through its skill where it has not. */
export async function ownListing(
  session: Pick<Session, 'agent_id' | 'handle' | 'discover'>,
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
