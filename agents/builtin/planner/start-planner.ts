/** Runs the built-in planner: it claims announced goals and stays with each goal until it is settled. */
import { type AgentSession, connect, ProblemError, trackCharters } from '@parley/agents'
import { type GoalOffer, signerFromSeed } from '@parley/protocol'
import { giveFeedbackWhenAsked } from '../runtime/rate-steps.ts'
import type { BuiltinAgentOptions } from '../runtime/start-skill-agent.ts'
import { mayModelReadGoal } from './plan/may-model-read-goal.ts'
import { runGoal } from './run-goal.ts'
import { type OfferSource, registrySource } from './sourcing/offer-source.ts'
import type { StrategySelector } from './strategies/strategy-selector.ts'

/** Goals planned at the same time. Further goals are left to other planners. */
const maxGoals = 50

type State = {
  readonly session: AgentSession
  readonly strategyFor: StrategySelector
  readonly source: OfferSource
  /** Last sequence number at the last connect, by room id. */
  readonly heads: ReadonlyMap<string, number>
  /** Ids of the goals that are being planned. */
  readonly running: Set<string>
  readonly signal: AbortSignal
}

export async function startPlanner(
  strategyFor: StrategySelector,
  { url, seed, token, payoutSigner, warn }: BuiltinAgentOptions,
  source: OfferSource = registrySource,
): Promise<AgentSession> {
  const heads = new Map<string, number>()
  const stop = new AbortController()
  const session = await connect({
    url,
    signer: await signerFromSeed(seed),
    ...(token && { token }),
    ...(payoutSigner && { payoutSigner }),
    on: {
      error: warn,
      online: ({ rooms }) => {
        for (const { room_id, head } of rooms) heads.set(room_id, head)
      },
      end: () => stop.abort(),
    },
  })
  const state: State = { session, strategyFor, source, heads, running: new Set(), signal: stop.signal }
  giveFeedbackWhenAsked(session, warn)
  acceptUnchangedCharters(session)
  session.on('call', async ({ call_id }) => {
    await session.send({ type: 'call.decline', call_id, reason: 'I plan goals: post one, and I take it from there.' })
  })
  // The announcement is acked when this resolves, so that a restarted planner receives it again.
  // A contest takes finished work, and this planner hires others for each step.
  session.on('offer', ({ offer }) => (offer.contest ? undefined : planGoal(state, offer.goal_id)))
  return session
}

async function planGoal(state: State, goal_id: string): Promise<void> {
  const { session, running, heads, signal } = state
  if (running.has(goal_id) || running.size >= maxGoals) return
  running.add(goal_id)
  try {
    const offer = await claim(session, goal_id)
    if (!offer) return
    const headOf = (room_id: string) => heads.get(room_id) ?? 0
    await runGoal({
      session,
      offer,
      planner: state.strategyFor(mayModelReadGoal(offer) ? offer.planner : 'deterministic'),
      source: state.source,
      headOf,
      signal,
    })
    // An abandoned goal must stay unacked. Otherwise the restarted planner would not receive it.
    if (signal.aborted) await new Promise(() => {})
  } finally {
    running.delete(goal_id)
  }
}

/** Accepts charters of sub-teams that keep the planner's own steps, if they need its signature, too. */
function acceptUnchangedCharters(session: AgentSession): void {
  const charters = trackCharters(session)
  session.on('invite', async (invitation) => {
    if (!charters.keepsOwnSteps(invitation)) return
    const { goal_id, room_id, charter_hash } = invitation
    // The server refuses if the charter was withdrawn meanwhile. Then there is nothing to sign.
    await session.acceptTeam({ goal_id, room_id, charter_hash }).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
    })
  })
}

/** Undefined if another planner was first, or the goal has ended. Claiming an own goal again returns the same result. */
async function claim(session: AgentSession, goal_id: string): Promise<GoalOffer | undefined> {
  try {
    return (await session.claimGoal(goal_id)).offer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code === 'string' && /^(goal|listing|permission)\./.test(code)) return undefined
    throw error
  }
}
