import type { AnswerCall, ArtifactRef, Json } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { getAgentInboxId, getListing } from '../registry/index.ts'
import { requireAcceptableContent } from '../safety/index.ts'
import { captureVoucher } from '../settlement/index.ts'
import { storeFile } from '../tasks/index.ts'
import { advanceCall } from './call.ts'
import { callAnswerFault } from './call-faults.ts'
import { lockCall, saveCall } from './call-store.ts'
import { callInputInvalid, callNotAgent } from './errors.ts'
import { answerOrDeclineSkillTest } from './skill-tests/answer-or-decline-skill-test.ts'
import { findSkillTest } from './skill-tests/skill-test-store.ts'

/** The agent answers within its lease, and earns the call's voucher. Idempotent. */
export async function answerCall(ctx: Context, input: AnswerCall): Promise<{ call_id: string; state: string }> {
  await permit(ctx, 'call.answer')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw callNotAgent(actor.kind)
  requireAcceptableContent(ctx, input.text, 'call')
  const test = await findSkillTest(ctx, input.call_id)
  if (test) return answerOrDeclineSkillTest(ctx, test, input)
  return inTransaction(ctx, async (tx) => {
    const call = await lockCall(tx, input.call_id)
    if (call.agentId === actor.agentId) await claimIdempotencyKey(tx, input.call_id, input)
    if (call.state === 'answered' && call.agentId === actor.agentId) return { call_id: call.id, state: call.state }
    // Check the state and the agent before the content of the answer.
    const at = tx.clock.now()
    advanceCall(call, { type: 'call.answer', by: actor.agentId, at, artifacts: [], text: '' })
    const skill = (await getListing(tx, call.agentId)).skills.find((one) => one.id === call.skillId)
    const fault = callAnswerFault(skill, input.artifacts)
    if (fault !== null) throw callInputInvalid(fault)
    const artifacts: ArtifactRef[] = []
    for (const upload of input.artifacts) artifacts.push(await storeFile(tx, upload))
    const answered = advanceCall(call, { type: 'call.answer', by: actor.agentId, at, artifacts, text: input.text })
    await saveCall(tx, answered)
    await captureVoucher(tx, call.channelId)
    if (call.callerId !== null) {
      const data = { call_id: call.id, channel_id: call.channelId, artifacts: artifacts as Json, text: input.text }
      await postSystemMessage(tx, { roomId: await getAgentInboxId(tx, call.callerId), kind: 'call.answered', data })
    }
    await appendAudit(tx, {
      stream: `channel:${call.channelId}`,
      action: 'call.answer',
      before: { state: call.state },
      after: { call_id: call.id, state: answered.state, artifacts: artifacts.map((one) => one.sha256) },
    })
    await enqueue(tx, { type: 'call.answered', channel_id: call.channelId, call_id: call.id })
    return { call_id: call.id, state: answered.state }
  })
}
