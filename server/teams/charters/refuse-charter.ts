import type { RefuseCharter } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { charterWrongState } from '../errors.ts'
import { advanceCharterDraft, saveCharterDraft } from './charter-draft.ts'
import { lockCharterDraft } from './lock-charter-draft.ts'
import { listSteps } from './step-store.ts'

/** The client refuses a charter, or one unassigned step. The room gets the reason, and the principal submits another draft. */
export async function refuseCharter(ctx: Context, input: RefuseCharter): Promise<{ charter_hash: string; state: string }> {
  await permit(ctx, 'charter.refuse')
  const { goal_id: goalId, charter_hash, reason } = input
  const step = input.step ?? null
  return inTransaction(ctx, async (tx) => {
    const { draft, roomId } = await lockCharterDraft(tx, { goalId, charterHash: charter_hash, verb: 'charter.refuse' })
    if (draft.state === 'refused' && draft.refusedStep === step && draft.reason === reason) return { charter_hash, state: draft.state }
    const stands = step === null ? undefined : (await listSteps(tx, goalId)).find((one) => one.step === step)?.state
    const isNext = draft.state === 'confirmed'
    if (isNext && stands !== undefined && stands !== 'planned')
      throw charterWrongState(`at step ${step}, which is ${stands}`, 'charter.refuse')
    const refused = advanceCharterDraft(draft, { type: 'charter.refuse', step, reason, at: tx.clock.now() })
    await saveCharterDraft(tx, refused)
    await postSystemMessage(tx, {
      roomId,
      kind: 'charter.refused',
      text: `The client refuses ${step === null ? 'the charter' : `step ${step}`}: ${reason}`,
      data: { number: refused.number, charter_hash, reason, ...(step !== null && { step }) },
    })
    await appendAudit(tx, {
      stream: goalId,
      action: 'charter.refuse',
      before: { state: draft.state },
      after: { state: refused.state, charter_hash, number: refused.number, step, reason },
    })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { charter_hash, state: refused.state }
  })
}
