import type { FollowedGoal } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { joinRoom, postSystemMessage } from '../../conversations/index.ts'
import { listSteps } from '../../teams/index.ts'
import { goalFollowsPrivate, goalNotClient, goalNotFound, goalWrongState } from '../errors.ts'
import type { Goal } from '../goal.ts'
import { goalFromRow } from '../goal-store.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'

/**
 * The goal to follow up.
 * @throws goal.not_found, goal.not_client, goal.wrong_state before its conclusion
 */
export async function requireFollowable(
  ctx: Context,
  input: { goalId: string; clientId: string; visibility: Goal['visibility'] },
): Promise<Goal> {
  const former = await ctx.db.goal.findUnique({ where: { id: input.goalId } })
  // Another client's private goal looks like an unknown one.
  if (!former || (former.clientId !== input.clientId && former.visibility === 'private')) throw goalNotFound(input.goalId)
  if (former.clientId !== input.clientId) throw goalNotClient(input.clientId)
  // The planners of the new goal read the old room.
  if (former.visibility === 'private' && input.visibility === 'public') throw goalFollowsPrivate(former.id)
  if (former.outcome === null) throw goalWrongState(former.state, 'a follow-up')
  return goalFromRow(former)
}

/** The followed goal, for the offer to planners; undefined if there is none. */
export async function followedGoalOf(ctx: Context, goal: Goal): Promise<FollowedGoal | undefined> {
  if (goal.followsId === null) return undefined
  const former = await getGoalRowUnchecked(ctx, goal.followsId)
  const agents = new Set(
    (await listSteps(ctx, former.id)).filter((step) => step.roomId === null && step.taskId !== null).map((step) => step.agentId),
  )
  return { goal_id: former.id, room_id: former.roomId, text: former.text, agents: [...agents] }
}

/** Announces a funded public follow-up in the room that it follows. Part of the transaction that opens it. */
export async function announceFollowUpGoal(tx: Context, goal: Goal): Promise<void> {
  // Members of the former room, and their owners, need not be in the new team: the room must not reveal a private goal.
  if (goal.followsId === null || goal.visibility === 'private') return
  const { roomId } = await getGoalRowUnchecked(tx, goal.followsId)
  await postSystemMessage(tx, {
    roomId,
    kind: 'goal.followed',
    text: `The client continues this work with a new goal, which has its own budget: ${goal.text}`,
    data: { goal_id: goal.id, room_id: goal.roomId },
  })
}

/** Gives the follow-up's principal access to the followed room. Part of the transaction that claims it. */
export async function joinPrincipalToFollowedRoom(
  tx: Context,
  goal: Goal,
  principal: { memberId: string; agentId: string; ownerId: string | null },
): Promise<void> {
  if (goal.followsId === null) return
  const { roomId } = await getGoalRowUnchecked(tx, goal.followsId)
  const known = await tx.db.membership.findUnique({ where: { roomId_memberId: { roomId, memberId: principal.memberId } } })
  if (!known || known.leftAt !== null) await joinRoom(tx, { roomId, ...principal, role: 'member' })
}
