import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { type DeadLetter, listMessageDeadLetters, recheckDeadLetter } from '../../delivery/index.ts'
import { requireOperator } from '../../policy/index.ts'
import { messageNotHeld } from '../errors.ts'
import { postSystemMessage } from './post-system-message.ts'

/** Lists dead letters: messages that cannot be delivered, for operators. @throws permission.denied for anyone else */
export async function listUndeliverableMessages(ctx: Context): Promise<DeadLetter[]> {
  requireOperator(ctx, 'message.list_held')
  return listMessageDeadLetters(ctx)
}

/**
 * Rechecks a dead letter after an operator fixed the cause.
 * A sound message is released at its sequence number, and a system message informs readers that have passed it. `why` states what is
 * still wrong.
 * @throws permission.denied for anyone else; group.not_found if this message is not a dead letter
 */
export async function retryMessage(
  ctx: Context,
  input: { readonly group_id: string; readonly seq: number },
): Promise<{ state: 'released' | 'held'; why: string | null }> {
  requireOperator(ctx, 'message.retry')
  const { group_id: groupId, seq } = input
  return inTransaction(ctx, async (tx) => {
    const why = await recheckDeadLetter(tx, { groupId, seq })
    if (why === undefined) throw messageNotHeld(groupId, seq)
    const state = why === null ? 'released' : 'held'
    await appendAudit(tx, { chain: groupId, action: 'message.retry', before: { seq, state: 'held' }, after: { seq, state, why } })
    if (why === null)
      await postSystemMessage(tx, {
        groupId,
        kind: 'message.released',
        data: { seq },
        text: `Message ${seq} of this room can be read again.`,
      })
    return { state, why }
  })
}
