import { EnvelopeId, type PostMessage, readSpeechAct, recordingActs } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { checkPost } from './check-post.ts'
import { actReserved } from './errors.ts'
import type { Said } from './put-in-order.ts'
import { switchboardOf } from './switchboard.ts'
import { tallyVotes } from './tally-votes.ts'

/**
 * Talk. It changes nothing but the room: what looks like a command in a text is a text. No audit row: the log is the record.
 * Messages of one sender keep the order in which this was called, also where no call has waited for the one before.
 */
export async function postMessage(ctx: Context, input: PostMessage): Promise<Said> {
  await permit(ctx, 'message.post')
  const act = readSpeechAct(input.envelope ? input.envelope.type : input.act)
  if (recordingActs.includes(act)) throw actReserved(act)
  const { actor } = ctx
  const said = await switchboardOf(ctx).post('did' in actor ? actor.did : actor.kind, checkPost(ctx, input))
  if (act !== 'vote') return said
  const proposalId = EnvelopeId.safeParse(input.envelope?.reply_to ?? input.reply_to)
  if (proposalId.success) await tallyVotes(ctx, { groupId: input.group_id, proposalId: proposalId.data })
  return said
}
