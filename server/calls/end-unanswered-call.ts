import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { getAgentInboxId } from '../registry/index.ts'
import { releaseVoucher } from '../settlement/index.ts'
import type { Call } from './call.ts'
import { saveCall } from './call-store.ts'

/** Ends a call without an answer: releases its voucher and notifies the caller and, after an expiry, the agent. */
export async function endUnansweredCall(tx: Context, call: Call): Promise<void> {
  await saveCall(tx, call)
  await releaseVoucher(tx, call.channelId)
  const reason = 'failure' in call ? call.failure : ''
  const data = { call_id: call.id, channel_id: call.channelId, state: call.state, reason }
  const notified = [...(call.callerId === null ? [] : [call.callerId]), ...(call.state === 'expired' ? [call.agentId] : [])]
  for (const agentId of notified) await postSystemMessage(tx, { roomId: await getAgentInboxId(tx, agentId), kind: 'call.ended', data })
}
