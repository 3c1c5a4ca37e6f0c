import { Part, type PostMessage, readSpeechAct, recordingActs } from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { actReserved } from './errors.ts'
import { speak } from './speak.ts'
import { countTalk, requireTalk } from './talk-budget.ts'

/** Talk. It changes nothing but the room: what looks like a command in a text is a text. No audit row: the log is the record. */
export async function postMessage(ctx: Context, input: PostMessage): Promise<{ group_id: string; seq: number; id: string }> {
  await permit(ctx, 'message.post')
  const act = readSpeechAct(input.envelope ? input.envelope.type : input.act)
  if (recordingActs.includes(act)) throw actReserved(act)
  const isLimited = await requireTalk(ctx, input.group_id)
  const posted = await inTransaction(ctx, async (tx) => {
    const said = await speak(tx, {
      groupId: input.group_id,
      given: input.envelope,
      anyAct: true,
      say: {
        act,
        parts: input.parts,
        ...(input.to === undefined ? {} : { to: input.to }),
        ...(input.reply_to === undefined ? {} : { replyTo: input.reply_to }),
      },
    })
    if (!said.isRepeat) await enqueue(tx, { type: 'message.posted', group_id: input.group_id, seq: said.seq })
    return { group_id: input.group_id, seq: said.seq, id: said.id }
  })
  const parts = Part.array().safeParse(input.envelope?.parts ?? input.parts)
  if (isLimited) await countTalk(ctx, { groupId: input.group_id, seq: posted.seq, parts: parts.data ?? [] })
  return posted
}
