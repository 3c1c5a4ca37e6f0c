import { createHash } from 'node:crypto'
import { canonicalBytes, type Json, type PostGoal, payableOf } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { openRoom, speak } from '../conversations/index.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { assetOf, openHold } from '../settlement/index.ts'
import { attachArtifact, carryArtifacts } from '../tasks/index.ts'
import { goalBudgetInvalid, goalDeadlinePassed, goalNotClient } from './errors.ts'
import { requireFollowable } from './follow-up.ts'

/** The least time between posting and deadline: enough for one settlement to confirm. */
const leastWorkMs = 60_000
const longestWorkMs = 90 * 86_400_000

export type PostedGoal = { readonly goal_id: string; readonly group_id: string }

/** A client posts a goal. It stays private, and nothing is owed, until the hold is on its rail. */
export async function postGoal(ctx: Context, input: PostGoal): Promise<PostedGoal> {
  await permit(ctx, 'goal.post')
  const { actor } = ctx
  if (actor.kind !== 'person') throw goalNotClient(actor.kind)
  const brief = input.goal
  const now = ctx.clock.now()
  const deadline = new Date(brief.deadline)
  const earliest = new Date(now.getTime() + leastWorkMs)
  if (deadline < earliest) throw goalDeadlinePassed(deadline, earliest)
  if (deadline.getTime() > now.getTime() + longestWorkMs)
    throw goalBudgetInvalid('A hold lasts 90 days at most; the deadline is later.', { deadline: deadline.toISOString() })
  const total = BigInt(brief.budget)
  if (payableOf(total, ctx.market.feeBps) <= 0n)
    throw goalBudgetInvalid('The budget leaves nothing for the work after the fee.', { budget: brief.budget })
  const again = await ctx.db.goal.findUnique({ where: { clientId_postId: { clientId: actor.did, postId: input.id } } })
  if (again) return { goal_id: again.id, group_id: again.groupId }
  const former = brief.follows === undefined ? null : await requireFollowable(ctx, { goalId: brief.follows, clientId: actor.did })
  try {
    return await inTransaction(ctx, async (tx) => {
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
          groupId,
          followsId: former?.id ?? null,
          postedAt: now,
        },
      })
      const attachments = []
      for (const upload of input.attachments) attachments.push(await attachArtifact(tx, { goalId, upload, taskId: null, by: actor.did }))
      if (former) attachments.push(...(await carryArtifacts(tx, { from: former.id, to: goalId, by: actor.did })))
      await speak(tx, {
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
        briefHash: `0x${briefHash}`,
      })
      await appendAudit(tx, {
        chain: goalId,
        action: 'goal.post',
        after: { state: 'funding', budget: total, deadline: brief.deadline, visibility: brief.visibility, planner: brief.planner },
      })
      await enqueue(tx, { type: 'goal.posted', goal_id: goalId })
      return { goal_id: goalId, group_id: groupId }
    })
  } catch (error) {
    // The same post arrived twice at once: the other one has won, and its answer is the answer.
    const other = isUniqueViolation(error)
      ? await ctx.db.goal.findUnique({ where: { clientId_postId: { clientId: actor.did, postId: input.id } } })
      : null
    if (other) return { goal_id: other.id, group_id: other.groupId }
    throw error
  }
}
