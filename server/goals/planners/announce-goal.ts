import { type GoalOffer, payableOf } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import {
  type AgentWithSkill,
  filterAgentsWithSkill,
  getAgentInboxId,
  getListing,
  listAgentsWithSkill,
  listOwnerAgentsWithSkill,
} from '../../registry/index.ts'
import { getHold, getQuotedCharter } from '../../settlement/index.ts'
import { listArtifactsUnchecked } from '../../tasks/index.ts'
import { getTeamTerms } from '../../teams/index.ts'
import type { Goal } from '../goal.ts'
import { goalFromRow } from '../goal-store.ts'
import { followedGoalOf } from '../posting/follow-up-goal.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'
import { chunkAnnouncements } from './chunk-announcements.ts'
import { isEligiblePlanner } from './is-eligible-planner.ts'

/** A goal as planners see it. */
export async function goalOfferOf(ctx: Context, goal: Goal): Promise<GoalOffer> {
  const hold = await getHold(ctx, goal.id)
  const files = await listArtifactsUnchecked(ctx, goal.id)
  const follows = await followedGoalOf(ctx, goal)
  const quoted = hold.isQuoted ? await getQuotedCharter(ctx, goal.id) : null
  const { preferences } = await getTeamTerms(ctx, goal.id)
  return {
    goal_id: goal.id,
    room_id: goal.roomId,
    client_id: goal.clientId,
    text: goal.text,
    criteria: [...goal.criteria],
    deadline: goal.deadline.toISOString(),
    asset: goal.asset,
    total: hold.total.toString(),
    payable: payableOf(hold.total, hold.feeBps).toString(),
    fee_bps: hold.feeBps,
    evaluator_id: hold.evaluator,
    on_silence: goal.onSilence,
    revision_rounds: goal.revisionRounds,
    visibility: goal.visibility,
    planner: goal.planner,
    attachments: files
      .filter((file) => file.task_id === null)
      .map(({ sha256, name, media_type, size, artifact_type }) => ({ sha256, name, media_type, size, artifact_type })),
    ...(preferences && { team: preferences }),
    ...(goal.contest && { contest: goal.contest }),
    ...(goal.originalText !== null && { original_text: goal.originalText }),
    ...(goal.givenValues.length > 0 && { values: [...goal.givenValues] }),
    ...(follows && { follows }),
    ...(quoted && { charter: quoted.charter }),
    ...(hold.rail === 'escrow' && { plan: { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId } }),
  }
}

/**
 * Announces an open goal to the planners that the client has named, or else to the built-in one. A separate job announces a public goal
 * to all others, so that their number delays nothing.
 */
export async function announceGoal(ctx: Context, goalId: string): Promise<void> {
  const goal = await unclaimedGoal(ctx, goalId)
  if (goal === null) return
  const first = (await firstPlanners(ctx, goal)).filter((planner) => isEligiblePlanner(ctx, goal, planner))
  const isForAll = goal.planners.length === 0 && goal.visibility === 'public'
  const offer = await goalOfferOf(ctx, goal)
  await inTransaction(ctx, async (tx) => {
    await postOffer(tx, offer, first)
    if (isForAll) await schedule(tx, 'announce-goal-to-others', { goalId }, { queue: 'offers', jobKey: `offer:${goalId}` })
  })
}

/** Announces the goal to all other planners in chunks, until one has claimed it. A duplicate is harmless. */
export async function announceGoalToOthers(ctx: Context, goalId: string): Promise<void> {
  const goal = await unclaimedGoal(ctx, goalId)
  if (goal === null) return
  const announced = new Set((await firstPlanners(ctx, goal)).map((planner) => planner.agentId))
  const others = (await listAgentsWithSkill(ctx, 'goal.plan')).filter(
    (planner) => !announced.has(planner.agentId) && isEligiblePlanner(ctx, goal, planner),
  )
  const offer = await goalOfferOf(ctx, goal)
  for (const chunk of chunkAnnouncements(others)) {
    if ((await unclaimedGoal(ctx, goalId)) === null) return
    await inTransaction(ctx, (tx) => postOffer(tx, offer, chunk))
  }
}

async function unclaimedGoal(ctx: Context, goalId: string): Promise<Goal | null> {
  const goal = goalFromRow(await getGoalRowUnchecked(ctx, goalId))
  return goal.state === 'open' && goal.principalId === null ? goal : null
}

async function firstPlanners(ctx: Context, goal: Goal): Promise<AgentWithSkill[]> {
  if (goal.planners.length > 0) return filterAgentsWithSkill(ctx, goal.planners, 'goal.plan')
  return ctx.market.housePublisher === null ? [] : listOwnerAgentsWithSkill(ctx, ctx.market.housePublisher, 'goal.plan')
}

async function postOffer(tx: Context, offer: GoalOffer, planners: readonly AgentWithSkill[]): Promise<void> {
  for (const { inboxId: roomId } of planners)
    await postSystemMessage(tx, { roomId, act: 'invite', kind: 'goal.offer', data: { offer: offer as never } })
}

/** Announces unclaimed goals to a planner that was published or connected later. */
export async function announceOpenGoals(ctx: Context, agentId: string): Promise<void> {
  const rows = await ctx.db.goal.findMany({ where: { state: 'open', principalId: null }, orderBy: { postedAt: 'asc' }, take: 100 })
  if (rows.length === 0) return
  const { owner_id: ownerId } = await getListing(ctx, agentId)
  const inbox = await getAgentInboxId(ctx, agentId)
  for (const goal of rows.map(goalFromRow)) {
    if (!isEligiblePlanner(ctx, goal, { agentId, ownerId })) continue
    const offer = await goalOfferOf(ctx, goal)
    await inTransaction(ctx, (tx) =>
      postSystemMessage(tx, { roomId: inbox, act: 'invite', kind: 'goal.offer', data: { offer: offer as never } }),
    )
  }
}
