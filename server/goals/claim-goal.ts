import type { ClaimGoal, GoalOffer } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { joinRoom, leaveRoom, postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { getListing } from '../registry/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { goalAlreadyClaimed, goalNotFound, goalNotPrincipal, goalWrongState } from './errors.ts'
import { advanceGoal } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'
import { goalOfferOf } from './planners/announce-goal.ts'
import { isEligiblePlanner } from './planners/is-eligible-planner.ts'
import { joinPrincipalToFollowedRoom } from './posting/follow-up-goal.ts'

/** How long a principal may be offline before another planner may replace it. */
const goneAfterMs = 60_000

/**
 * A planner claims the goal; the first one wins. Before a team is sealed, another planner may replace a principal that has been offline
 * for a minute. The room's messages remain.
 */
export async function claimGoal(ctx: Context, input: ClaimGoal): Promise<{ offer: GoalOffer }> {
  await permit(ctx, 'goal.claim')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw goalNotPrincipal(actor.kind)
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    if (goal.principalId === actor.did) return { offer: await goalOfferOf(tx, goal) }
    const listing = await getListing(tx, actor.agentId)
    // A foreign agent can be a member, never the principal.
    const isPlanner = !listing.home && listing.skills.some((skill) => skill.id === 'goal.plan')
    const isAdmitted = isPlanner && isEligiblePlanner(tx, goal, { agentId: actor.agentId, ownerId: listing.owner_id })
    // A planner that is not eligible gets the same answer as for an unknown goal.
    if (!isAdmitted && (goal.visibility === 'private' || goal.openedAt === null)) throw goalNotFound(goal.id)
    if (!isAdmitted) throw goalNotPrincipal(actor.did)
    if (goal.contest !== null) throw goalWrongState('a contest', 'goal.claim')
    const former = goal.principalAgentId === null ? null : await getListing(tx, goal.principalAgentId)
    const lastSign = Math.max(goal.claimedAt?.getTime() ?? 0, former?.last_seen_at ? new Date(former.last_seen_at).getTime() : 0)
    const isGone = former?.presence === 'offline' && tx.clock.now().getTime() - lastSign > goneAfterMs
    if (former && (goal.state !== 'open' || !isGone)) throw goalAlreadyClaimed(goal.id)
    const claimed = advanceGoal(goal, { type: 'goal.claim', principalId: actor.did, principalAgentId: actor.agentId, at: tx.clock.now() })
    if (goal.principalId) {
      await tx.db.membership.updateMany({ where: { roomId: goal.roomId, memberId: goal.principalId }, data: { role: 'member' } })
      await leaveRoom(tx, { roomId: goal.roomId, memberId: goal.principalId })
    }
    await joinRoom(tx, { roomId: goal.roomId, memberId: actor.did, agentId: actor.agentId, ownerId: actor.ownerDid, role: 'principal' })
    await joinPrincipalToFollowedRoom(tx, goal, { memberId: actor.did, agentId: actor.agentId, ownerId: actor.ownerDid })
    await saveGoal(tx, claimed)
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      kind: 'goal.claimed',
      text: `${listing.name} takes the goal on and plans it.`,
      data: { agent_id: actor.agentId, did: actor.did, handle: listing.handle },
    })
    await appendAudit(tx, {
      stream: goal.id,
      action: 'goal.claim',
      before: { principal: goal.principalId },
      after: { principal: actor.did },
    })
    await enqueue(tx, { type: 'goal.claimed', goal_id: input.goal_id })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    return { offer: await goalOfferOf(tx, claimed) }
  })
}
