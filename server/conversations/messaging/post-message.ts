import { EnvelopeId, type PostMessage, readSpeechAct, recordingActs } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { requirePermission } from '../../policy/index.ts'
import { actReserved } from '../errors.ts'
import { messageWriterOf } from './group-commit.ts'
import type { Completion, PostResult } from './post-result.ts'
import { tallyVotes } from './tally-votes.ts'
import { validatePost } from './validate-post.ts'

/**
 * Talk. It changes nothing but the room: what looks like a command in a text is a text. No audit row: the log is the record.
 * Messages of one sender keep the order in which this was called, also where no call has waited for the one before.
 */
export function postMessage(ctx: Context, input: PostMessage): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    enqueuePost(ctx, input, { resolve, reject })
  })
}

/**
 * The same without a promise. `allowed`: what else the message has to wait for, in its place among its sender's.
 * @throws what can be refused at once
 */
export function enqueuePost(ctx: Context, input: PostMessage, completion: Completion<PostResult>, allowed?: Promise<void>): void {
  requirePermission(ctx, 'message.post')
  const act = readSpeechAct(input.envelope ? input.envelope.type : input.act)
  if (recordingActs.includes(act)) throw actReserved(act)
  const { actor } = ctx
  const checked = allowed ? allowed.then(() => validatePost(ctx, input)) : validatePost(ctx, input)
  messageWriterOf(ctx).post(
    'did' in actor ? actor.did : actor.kind,
    checked,
    act === 'vote' ? completeAfterTally(ctx, input, completion) : completion,
  )
}

/** Tells who waits once the vote is counted too. */
function completeAfterTally(ctx: Context, input: PostMessage, completion: Completion<PostResult>): Completion<PostResult> {
  const proposalId = EnvelopeId.safeParse(input.envelope?.reply_to ?? input.reply_to)
  if (!proposalId.success) return completion
  return {
    resolve: (said) => {
      tallyVotes(ctx, { groupId: input.group_id, proposalId: proposalId.data }).then(() => completion.resolve(said), completion.reject)
    },
    reject: completion.reject,
  }
}
