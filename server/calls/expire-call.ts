import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { enqueue, schedule } from '../delivery/index.ts'
import { advanceCall } from './call.ts'
import { findCall, lockCall } from './call-store.ts'
import { endUnansweredCall } from './end-unanswered-call.ts'

/** Run by a job: expires a call that the agent did not answer within its lease. */
export async function expireCall(ctx: Context, callId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await findCall(tx, callId))) return
    const call = await lockCall(tx, callId)
    if (call.state !== 'requested') return
    const expired = advanceCall(call, { type: 'call.expire', at: tx.clock.now() })
    if (expired.state === 'requested') {
      // The clock of the job queue is ahead of the server's clock.
      await schedule(tx, 'expire-call', { callId }, { runAt: call.leaseUntil, jobKey: `call:${callId}` })
      return
    }
    await endUnansweredCall(tx, expired)
    await appendAudit(tx, {
      stream: `channel:${call.channelId}`,
      action: 'call.expire',
      before: { state: call.state },
      after: { call_id: call.id, state: expired.state },
    })
    await enqueue(tx, { type: 'call.expired', channel_id: call.channelId, call_id: call.id as never })
  })
}
