import { createHash } from 'node:crypto'
import { canonicalBytes, formatAmount, type Json, longestGoalDays, type PostGoal, payableOf } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { openRoom, postInTransaction } from '../conversations/index.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { assetOf, openHold } from '../settlement/index.ts'
import { attachArtifact, carryArtifacts } from '../tasks/index.ts'
import { goalBudgetInvalid, goalDeadlinePassed, goalDeadlineTooFar, goalNotClient } from './errors.ts'
import { requireFollowable } from './follow-up-goal.ts'
import { requirePlanners } from './planners/require-planners.ts'

/** The minimum time between posting and deadline: enough to confirm one settlement. */
const minWorkMs = 60_000
const dayMs = 86_400_000

export type PostedGoal = { readonly goal_id: string; readonly group_id: string }

/** A client posts a goal. It stays private, and nothing is owed, until the hold is authorized. */
export async function postGoal(ctx: Context, input: PostGoal): Promise<PostedGoal> {
  await permit(ctx, 'goal.post')
  const { actor } = ctx
  if (actor.kind !== 'person') throw goalNotClient(actor.kind)
  const brief = input.goal
  const now = ctx.clock.now()
  const deadline = new Date(brief.deadline)
  const earliest = new Date(now.getTime() + minWorkMs)
  if (deadline < earliest) throw goalDeadlinePassed(deadline, earliest)
  const latest = new Date(now.getTime() + longestGoalDays * dayMs)
  if (deadline > latest) throw goalDeadlineTooFar(deadline, latest, longestGoalDays)
  const total = BigInt(brief.budget)
  if (payableOf(total, ctx.market.feeBps) <= 0n)
    throw goalBudgetInvalid('The budget leaves nothing for the work after the fee.', { budget: brief.budget })
  const { minBudget: least, decimals, symbol } = ctx.market
  if (total < least)
    throw goalBudgetInvalid(`The minimum budget is ${formatAmount(least, decimals)} ${symbol}.`, {
      budget: brief.budget,
      least: least.toString(),
    })
  const again = await ctx.db.goal.findUnique({ where: { clientId_postId: { clientId: actor.did, postId: input.id } } })
  if (again) return repeated(ctx, input, again)
  await requirePlanners(ctx, brief)
  const former =
    brief.follows === undefined
      ? null
      : await requireFollowable(ctx, { goalId: brief.follows, clientId: actor.did, visibility: brief.visibility })
  try {
    return await inTransaction(ctx, async (tx) => {
      await claimIdempotencyKey(tx, input.id, input)
      const goalId = tx.ids.next('gol')
      const groupId = await openRoom(tx, { goalId, clientId: actor.did, asksClient: brief.planner === 'copilot', talk: brief.talk })
      await tx.db.goal.create({
        data: {
          id: goalId,
          postId: input.id,
          state: 'funding',
          clientId: actor.did,
          text: brief.text,
          criteria: brief.criteria as object[],
          budget: total,
          asset: assetOf(tx, brief.rail),
          deadline,
          reviewHours: brief.review_hours,
          visibility: brief.visibility,
          planner: brief.planner,
          planners: [...new Set(brief.planners)],
          groupId,
          followsId: former?.id ?? null,
          postedAt: now,
        },
      })
      const attachments = []
      for (const upload of input.attachments)
        attachments.push(
          await attachArtifact(tx, { goalId, upload, taskId: null, by: actor.did, isTeamOnly: brief.attachment_readers === 'team' }),
        )
      if (former) attachments.push(...(await carryArtifacts(tx, { from: former.id, to: goalId, by: actor.did })))
      await postInTransaction(tx, {
        groupId,
        say: {
          act: 'discussion',
          state: 'discussion',
          parts: [
            { text: brief.text },
            {
              data: {
                kind: 'goal',
                criteria: brief.criteria as never,
                deadline: brief.deadline,
                ...(former && { follows: { goal_id: former.id, group_id: former.groupId } }),
              },
            },
            ...attachments.map((artifact) => ({ artifact })),
          ],
        },
      })
      const briefHash = createHash('sha256')
        .update(canonicalBytes({ ...brief, attachments: attachments.map((one) => one.sha256) } as Json))
        .digest('hex')
      await openHold(tx, {
        goalId,
        rail: brief.rail,
        client: actor.address,
        total,
        workBy: seconds(deadline),
        reviewSeconds: brief.review_hours * 3_600,
        authorizer: brief.authorizer as `0x${string}` | undefined,
        vetoSeconds: brief.veto_hours * 3_600,
        briefHash: `0x${briefHash}`,
      })
      await appendAudit(tx, {
        chain: goalId,
        action: 'goal.post',
        after: {
          state: 'funding',
          budget: total,
          deadline: brief.deadline,
          visibility: brief.visibility,
          planner: brief.planner,
          planners: brief.planners,
        },
      })
      await enqueue(tx, { type: 'goal.posted', goal_id: goalId })
      return { goal_id: goalId, group_id: groupId }
    })
  } catch (error) {
    // The same command arrived twice at once. The other one has won, and its answer counts.
    const other = isUniqueViolation(error)
      ? await ctx.db.goal.findUnique({ where: { clientId_postId: { clientId: actor.did, postId: input.id } } })
      : null
    if (other) return repeated(ctx, input, other)
    throw error
  }
}

/** @throws request.id_reused */
async function repeated(ctx: Context, input: PostGoal, { id, groupId }: { id: string; groupId: string }): Promise<PostedGoal> {
  await claimIdempotencyKey(ctx, input.id, input)
  return { goal_id: id, group_id: groupId }
}
