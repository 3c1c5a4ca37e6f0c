import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { type DeadLetter, listMessageDeadLetters, recheckDeadLetter } from '../../delivery/index.ts'
import { requireOperator } from '../../policy/index.ts'
import { messageNotDeadLetter } from '../errors.ts'
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
 * @throws permission.denied for anyone else; room.not_found if this message is not a dead letter
 */
export async function retryUndeliverableMessage(
  ctx: Context,
  input: { readonly room_id: string; readonly seq: number },
): Promise<{ state: 'released' | 'dead_letter'; reason: string | null }> {
  requireOperator(ctx, 'message.retry')
  const { room_id: roomId, seq } = input
  return inTransaction(ctx, async (tx) => {
    const reason = await recheckDeadLetter(tx, { roomId, seq })
    if (reason === undefined) throw messageNotDeadLetter(roomId, seq)
    const state = reason === null ? 'released' : 'dead_letter'
    await appendAudit(tx, { stream: roomId, action: 'message.retry', before: { seq, state: 'dead_letter' }, after: { seq, state, reason } })
    if (reason === null)
      await postSystemMessage(tx, {
        roomId,
        kind: 'message.released',
        data: { seq },
        text: `Message ${seq} of this room can be read again.`,
      })
    return { state, reason }
  })
}
