import { EnvelopeId, type PostMessage, readSpeechAct, recordingActs } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { requirePermission } from '../../policy/index.ts'
import { actReserved } from '../errors.ts'
import { tallyVotes } from '../rooms/tally-votes.ts'
import { groupCommitWriterOf } from './group-commit-writer.ts'
import type { Completion, PostResult } from './post-result.ts'
import { validatePost } from './validate-post.ts'

/**
 * Posts a message: authorize, validate, then group commit (`group-commit-writer.ts`).
 * A message changes only its room; text that looks like a command stays text. The log is the record, so there is no audit row.
 * Messages of one sender keep the order of these calls, even if no call waits for the previous one.
 */
export function postMessage(ctx: Context, input: PostMessage): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    enqueuePost(ctx, input, { resolve, reject })
  })
}

/**
 * The same with a callback instead of a promise. `allowed`: a check to wait for without losing the place in the sender's order.
 * @throws errors that need no waiting
 */
export function enqueuePost(ctx: Context, input: PostMessage, completion: Completion<PostResult>, allowed?: Promise<void>): void {
  requirePermission(ctx, 'message.post')
  const act = readSpeechAct(input.envelope ? input.envelope.type : input.act)
  if (recordingActs.includes(act)) throw actReserved(act)
  const { actor } = ctx
  const checked = allowed ? allowed.then(() => validatePost(ctx, input)) : validatePost(ctx, input)
  groupCommitWriterOf(ctx).post(
    'did' in actor ? actor.did : actor.kind,
    checked,
    act === 'vote' ? completeAfterTally(ctx, input, completion) : completion,
  )
}

/** Completes the post after the vote is counted. */
function completeAfterTally(ctx: Context, input: PostMessage, completion: Completion<PostResult>): Completion<PostResult> {
  const proposalId = EnvelopeId.safeParse(input.envelope?.reply_to ?? input.reply_to)
  if (!proposalId.success) return completion
  return {
    resolve: (posted) => {
      tallyVotes(ctx, { roomId: input.room_id, proposalId: proposalId.data }).then(() => completion.resolve(posted), completion.reject)
    },
    reject: completion.reject,
  }
}
