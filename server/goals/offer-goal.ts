import { type GoalOffer, payableOf } from '@parley/protocol'
import type { Context } from '../context.ts'
import { announce } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { getInbox, getListing, listAgentsOf } from '../registry/index.ts'
import { getHold } from '../settlement/index.ts'
import { listArtifacts } from '../tasks/index.ts'
import { admitsPlanner } from './admits-planner.ts'
import { followedBy } from './follow-up.ts'
import type { Goal } from './goal.ts'
import { getGoalRow } from './read-goals.ts'
import { goalFromRow } from './store.ts'

/** A goal as planners see it. */
export async function offerOf(ctx: Context, goal: Goal): Promise<GoalOffer> {
  const hold = await getHold(ctx, goal.id)
  const files = await listArtifacts(ctx, goal.id)
  const follows = await followedBy(ctx, goal)
  return {
    goal_id: goal.id,
    group_id: goal.groupId,
    client_id: goal.clientId,
    text: goal.text,
    criteria: [...goal.criteria],
    deadline: goal.deadline.toISOString(),
    asset: goal.asset,
    total: hold.total.toString(),
    payable: payableOf(hold.total, hold.feeBps).toString(),
    fee_bps: hold.feeBps,
    evaluator_id: hold.evaluator,
    visibility: goal.visibility,
    planner: goal.planner,
    attachments: files
      .filter((file) => file.task_id === null)
      .map(({ sha256, name, media_type, size, artifact_type }) => ({ sha256, name, media_type, size, artifact_type })),
    ...(follows && { follows }),
    ...(hold.rail === 'escrow' && { plan: { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId } }),
  }
}

/** Tells every listed planner that an open goal admits, in its inbox. */
export async function offerGoal(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRow(ctx, goalId))
  if (goal.state !== 'open' || goal.principalId !== null) return
  const offer = await offerOf(ctx, goal)
  const planners = (await listAgentsOf(ctx, 'goal.plan')).filter((planner) => admitsPlanner(ctx, goal, planner))
  await inTransaction(ctx, async (tx) => {
    for (const { inboxId: groupId } of planners)
      await announce(tx, { groupId, act: 'invite', kind: 'goal.offer', data: { offer: offer as never } })
  })
}

/** Offers again what nobody has claimed: to a planner that was published or came online later. */
export async function offerOpenGoals(ctx: Context, agentId: string): Promise<void> {
  const rows = await ctx.db.goal.findMany({ where: { state: 'open', principalId: null }, orderBy: { postedAt: 'asc' }, take: 100 })
  if (rows.length === 0) return
  const { owner_id: ownerId } = await getListing(ctx, agentId)
  const inbox = await getInbox(ctx, agentId)
  for (const goal of rows.map(goalFromRow)) {
    if (!admitsPlanner(ctx, goal, { agentId, ownerId })) continue
    const offer = await offerOf(ctx, goal)
    await inTransaction(ctx, (tx) => announce(tx, { groupId: inbox, act: 'invite', kind: 'goal.offer', data: { offer: offer as never } }))
  }
}
