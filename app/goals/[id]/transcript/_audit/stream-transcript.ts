import { type DeliveredEnvelope, GoalId } from '@parley/protocol'
import { createCall } from '@/server/trpc/call.ts'
import { createCaller } from '@/server/trpc/root.ts'
import { type People, peopleOf } from '../../../../_views/to-run-view.ts'
import { readFilter } from '../../../../_views/transcript-filter.ts'

export type TranscriptFormat = {
  readonly type: string
  readonly ending: string
  readonly head: string
  readonly line: (message: DeliveredEnvelope, people: People) => string
}

const pageSize = 500

/** The whole transcript, or what the address's filter leaves of it, page by page as the reader takes it. */
export async function streamTranscript(request: Request, id: string, format: TranscriptFormat): Promise<Response> {
  const goalId = GoalId.safeParse(id)
  if (!goalId.success) return missing()
  const api = createCaller(await createCall({ headers: request.headers, reply: null }))
  const run = await api.goals.getRun({ goal_id: goalId.data }).catch(notThere)
  if (!run) return missing()
  const filter = readFilter(new URL(request.url).searchParams)
  const people = peopleOf(run)
  const encoder = new TextEncoder()
  let after = 0
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(format.head)),
    async pull(stream) {
      const { messages, isMore } = await api.conversations.search({ group_id: run.goal.groupId, ...filter, after, limit: pageSize })
      stream.enqueue(encoder.encode(messages.map((message) => format.line(message, people)).join('')))
      after = messages.at(-1)?.seq ?? after
      if (!isMore) stream.close()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': format.type,
      'content-disposition': `attachment; filename="${goalId.data}.${format.ending}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}

function notThere(error: unknown): null {
  if ((error as { code?: unknown }).code === 'NOT_FOUND') return null
  throw error
}

function missing(): Response {
  return new Response('There is no such goal, or it is not yours to read.\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
