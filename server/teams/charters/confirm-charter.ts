import type { ConfirmCharter } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { advanceCharterDraft, saveCharterDraft } from './charter-draft.ts'
import { lockCharterDraft } from './lock-charter-draft.ts'

/** The client confirms a charter; the named steps may be assigned. Idempotent. */
export async function confirmCharter(ctx: Context, input: ConfirmCharter): Promise<{ charter_hash: string; state: string }> {
  await permit(ctx, 'charter.confirm')
  const { goal_id: goalId, charter_hash } = input
  return inTransaction(ctx, async (tx) => {
    const { draft, roomId } = await lockCharterDraft(tx, { goalId, charterHash: charter_hash, verb: 'charter.confirm' })
    const isNew = draft.state !== 'confirmed' || input.steps.some((step) => !draft.steps.includes(step))
    if (!isNew) return { charter_hash, state: draft.state }
    const confirmed = advanceCharterDraft(draft, { type: 'charter.confirm', steps: input.steps, at: tx.clock.now() })
    await saveCharterDraft(tx, confirmed)
    const fresh = confirmed.steps.filter((step) => !draft.steps.includes(step))
    const named = fresh.length === 1 ? `step ${fresh[0]}` : `steps ${fresh.join(', ')}`
    const begin = draft.state === 'confirmed' ? 'The client confirms' : 'The client confirms the charter'
    const rest =
      draft.state === 'confirmed' ? ` ${named}.` : fresh.length > 0 ? ` and ${named}.` : ' and wants to be asked before each step.'
    await postSystemMessage(tx, {
      roomId,
      kind: 'charter.confirmed',
      text: begin + rest,
      data: { number: confirmed.number, charter_hash, steps: [...confirmed.steps] },
    })
    await appendAudit(tx, {
      stream: goalId,
      action: 'charter.confirm',
      before: { state: draft.state, steps: [...draft.steps] },
      after: { state: confirmed.state, charter_hash, number: confirmed.number, steps: [...confirmed.steps] },
    })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { charter_hash, state: confirmed.state }
  })
}
