import { EnvelopeId, type PostMessage, readSpeechAct, recordingActs } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { requirePermission } from '../../policy/index.ts'
import { actReserved } from '../errors.ts'
import { switchboardOf } from './group-commit.ts'
import type { Ending, Said } from './post-result.ts'
import { tallyVotes } from './tally-votes.ts'
import { checkPost } from './validate-post.ts'

/**
 * Talk. It changes nothing but the room: what looks like a command in a text is a text. No audit row: the log is the record.
 * Messages of one sender keep the order in which this was called, also where no call has waited for the one before.
 */
export function postMessage(ctx: Context, input: PostMessage): Promise<Said> {
  return new Promise((resolve, reject) => {
    postTalk(ctx, input, { resolve, reject })
  })
}

/**
 * The same without a promise. `allowed`: what else the message has to wait for, in its place among its sender's.
 * @throws what can be refused at once
 */
export function postTalk(ctx: Context, input: PostMessage, end: Ending<Said>, allowed?: Promise<void>): void {
  requirePermission(ctx, 'message.post')
  const act = readSpeechAct(input.envelope ? input.envelope.type : input.act)
  if (recordingActs.includes(act)) throw actReserved(act)
  const { actor } = ctx
  const checked = allowed ? allowed.then(() => checkPost(ctx, input)) : checkPost(ctx, input)
  switchboardOf(ctx).post('did' in actor ? actor.did : actor.kind, checked, act === 'vote' ? tallied(ctx, input, end) : end)
}

/** Tells who waits once the vote is counted too. */
function tallied(ctx: Context, input: PostMessage, end: Ending<Said>): Ending<Said> {
  const proposalId = EnvelopeId.safeParse(input.envelope?.reply_to ?? input.reply_to)
  if (!proposalId.success) return end
  return {
    resolve: (said) => {
      tallyVotes(ctx, { groupId: input.group_id, proposalId: proposalId.data }).then(() => end.resolve(said), end.reject)
    },
    reject: end.reject,
  }
}
