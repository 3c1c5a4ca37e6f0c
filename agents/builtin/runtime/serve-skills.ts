/** A house agent on the wire: its skills behind the client library, and its judgements when it is asked for them. */
import { type AgentSession, agent, connect, type PayoutSigner, ProblemError, type SkillHandler, trackCharters } from '@parley/agents'
import { signerFromSeed } from '@parley/protocol'
import { driveGoal } from '../planner/run-loop.ts'
import { localOffers, type OfferSource } from '../planner/sourcing/offer-source.ts'
import type { Planners } from '../planner/strategies/select-strategy.ts'
import type { SkillFunction, WorkInput } from '../skill.ts'
import { giveFeedbackWhenAsked } from './feedback.ts'

export type HouseOptions = {
  readonly url: string
  readonly seed: string
  readonly token?: string | undefined
  /** The key that it is paid to. */
  readonly payee?: PayoutSigner | undefined
  readonly warn: (error: unknown) => void
}

/** More goals at once than this are left to other planners. */
const maxGoals = 50

/** An agent with skills. */
export async function startWorker(
  skills: { readonly [skill: string]: SkillFunction },
  { url, seed, token, payee, warn }: HouseOptions,
  manners: { readonly [skill: string]: (alone: SkillHandler) => SkillHandler } = {},
): Promise<AgentSession> {
  const as = (id: string) => manners[id] ?? ((alone: SkillHandler) => alone)
  const handlers = Object.fromEntries(Object.entries(skills).map(([id, work]) => [id, as(id)(handlerOf(work))]))
  const session = await agent({
    url,
    seed,
    ...(token && { token }),
    ...(payee && { payoutSigner: payee }),
    skills: handlers,
    on: { error: warn },
  })
  giveFeedbackWhenAsked(session, warn)
  return session
}

function handlerOf(work: SkillFunction): SkillHandler {
  return async ({ inputs, task }) => {
    const read = Object.values(inputs).map(({ port, type, data, text, artifact }): WorkInput => {
      if (artifact) return { port, type, artifact, text }
      const value = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
      return { port, type, data: value }
    })
    const done = await work({ inputs: read, task_desc: task?.task_desc ?? '' })
    const artifacts = done.outputs.map(({ name, media_type, artifact_type, text }) => ({ name, media_type, artifact_type, content: text }))
    return { artifacts, text: done.text }
  }
}

/** The agent that plans: it takes up what it is offered and stays with each goal until it is settled. */
export async function startPrincipal(
  plannerFor: Planners,
  { url, seed, token, payee, warn }: HouseOptions,
  source: OfferSource = localOffers,
): Promise<AgentSession> {
  const heads = new Map<string, number>()
  const driven = new Set<string>()
  const stop = new AbortController()
  const session = await connect({
    url,
    signer: await signerFromSeed(seed),
    ...(token && { token }),
    ...(payee && { payoutSigner: payee }),
    on: {
      error: warn,
      online: ({ groups }) => {
        for (const { group_id, head } of groups) heads.set(group_id, head)
      },
      end: () => stop.abort(),
    },
  })
  giveFeedbackWhenAsked(session, warn)
  signWhatStaysTheSame(session)
  session.on('call', async ({ call_id }) => {
    await session.send({ type: 'call.decline', call_id, reason: 'I plan goals: post one, and I take it from there.' })
  })
  // The offer is acked when this ends: a principal that dies is offered its goals again.
  session.on('offer', async ({ offer: told }) => {
    if (driven.has(told.goal_id) || driven.size >= maxGoals) return
    driven.add(told.goal_id)
    try {
      const offer = await claim(session, told.goal_id)
      if (!offer) return
      await driveGoal({
        session,
        offer,
        planner: plannerFor(offer.planner),
        source,
        headOf: (group_id) => heads.get(group_id) ?? 0,
        signal: stop.signal,
      })
      // An abandoned goal must stay unacked, or nobody would take it up after the restart.
      if (stop.signal.aborted) await new Promise(() => {})
    } finally {
      driven.delete(told.goal_id)
    }
  })
  return session
}

/** Sub-teams' charters that leave the principal's own steps as they are, where they want its signature too. */
function signWhatStaysTheSame(session: AgentSession): void {
  const standing = trackCharters(session)
  session.on('invite', async (invite) => {
    if (!standing.keepsOwnSteps(invite)) return
    const { goal_id, group_id, charter_hash } = invite
    // It may have been withdrawn meanwhile; then there is nothing to sign.
    await session.acceptTeam({ goal_id, group_id, charter_hash }).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
    })
  })
}

/** Undefined where another was first, or the goal is over. Claiming what is ours already gives the same answer. */
async function claim(session: AgentSession, goal_id: string) {
  try {
    return (await session.claimGoal(goal_id)).offer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && /^(goal|listing|permission)\./.test(code)) return undefined
    throw error
  }
}
