import type { DeclineCall } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { requireAcceptableContent } from '../safety/index.ts'
import { advanceCall } from './call.ts'
import { lockCall } from './call-store.ts'
import { endUnansweredCall } from './end-unanswered-call.ts'
import { callNotAgent } from './errors.ts'
import { answerOrDeclineSkillTest } from './skill-tests/answer-or-decline-skill-test.ts'
import { findSkillTest } from './skill-tests/skill-test-store.ts'

/** The agent declines the call, and nothing is paid. Idempotent. */
export async function declineCall(ctx: Context, input: DeclineCall): Promise<{ call_id: string; state: string }> {
  await permit(ctx, 'call.decline')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw callNotAgent(actor.kind)
  requireAcceptableContent(ctx, input.reason, 'call')
  const test = await findSkillTest(ctx, input.call_id)
  if (test) return answerOrDeclineSkillTest(ctx, test, input)
  return inTransaction(ctx, async (tx) => {
    const call = await lockCall(tx, input.call_id)
    if (call.agentId === actor.agentId) await claimIdempotencyKey(tx, input.call_id, input)
    if (call.state === 'declined' && call.agentId === actor.agentId) return { call_id: call.id, state: call.state }
    const declined = advanceCall(call, { type: 'call.decline', by: actor.agentId, at: tx.clock.now(), reason: input.reason })
    await endUnansweredCall(tx, declined)
    await appendAudit(tx, {
      stream: `channel:${call.channelId}`,
      action: 'call.decline',
      before: { state: call.state },
      after: { call_id: call.id, state: declined.state, reason: input.reason },
    })
    await enqueue(tx, { type: 'call.declined', channel_id: call.channelId, call_id: call.id })
    return { call_id: call.id, state: declined.state }
  })
}
