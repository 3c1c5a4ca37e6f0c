import { type GoalOffer, payableOf } from '@parley/protocol'
import type { Context } from '../context.ts'
import { announce } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { getInbox, listInboxesOf } from '../registry/index.ts'
import { getHold } from '../settlement/index.ts'
import { listArtifacts } from '../tasks/index.ts'
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
    planner: goal.planner,
    attachments: files
      .filter((file) => file.task_id === null)
      .map(({ sha256, name, media_type, size, artifact_type }) => ({ sha256, name, media_type, size, artifact_type })),
    ...(follows && { follows }),
    ...(hold.rail === 'escrow' && { plan: { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId } }),
  }
}

/** Tells every listed planner of an open goal, in its inbox. */
export async function offerGoal(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRow(ctx, goalId))
  if (goal.state !== 'open' || goal.principalId !== null) return
  const offer = await offerOf(ctx, goal)
  const inboxes = await listInboxesOf(ctx, 'goal.plan')
  await inTransaction(ctx, async (tx) => {
    for (const groupId of inboxes) await announce(tx, { groupId, act: 'invite', kind: 'goal.offer', data: { offer: offer as never } })
  })
}

/** Offers again what nobody has claimed: to a planner that was published or came online later. */
export async function offerOpenGoals(ctx: Context, agentId: string): Promise<void> {
  const rows = await ctx.db.goal.findMany({ where: { state: 'open', principalId: null }, orderBy: { postedAt: 'asc' }, take: 100 })
  const inbox = rows.length > 0 ? await getInbox(ctx, agentId) : ''
  for (const row of rows) {
    const offer = await offerOf(ctx, goalFromRow(row))
    await inTransaction(ctx, (tx) => announce(tx, { groupId: inbox, act: 'invite', kind: 'goal.offer', data: { offer: offer as never } }))
  }
}
