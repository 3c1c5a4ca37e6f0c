import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { findMessages } from '../../conversations/index.ts'
import { admitRate } from '../../policy/index.ts'
import { createCaller } from '../app-router.ts'
import { createRequestContext } from '../request-context.ts'
import { messageFilter, type TranscriptQuery } from './message-filter.ts'
import type { Run } from './read-goal-page.ts'

const pageSize = 500

/** `pages`: the matching messages in order, read lazily. */
export type ExportedTranscript = { readonly run: Run; readonly pages: AsyncGenerator<readonly DeliveredEnvelope[]> }

/**
 * The whole transcript of a goal, or its matching messages. It counts as one search, so that a long export is not interrupted.
 * @throws rate.exceeded, goal.not_found
 */
export async function exportTranscript(headers: Headers, asked: { goalId: string; query: TranscriptQuery }): Promise<ExportedTranscript> {
  const call = await createRequestContext({ headers, reply: null })
  await admitRate(call.ctx, 'search', call.source)
  const run = await createCaller(call).goals.getPage({ goal_id: asked.goalId })
  return { run, pages: pagesOf(call.ctx, run.goal.roomId, asked.query) }
}

async function* pagesOf(ctx: Context, roomId: string, query: TranscriptQuery): AsyncGenerator<readonly DeliveredEnvelope[]> {
  const filter = messageFilter(query)
  for (let [after, isMore] = [0, true]; isMore; ) {
    const page = await findMessages(ctx, { roomId, filter, after, limit: pageSize })
    yield page.messages
    ;({ next: after, isMore } = page)
  }
}
