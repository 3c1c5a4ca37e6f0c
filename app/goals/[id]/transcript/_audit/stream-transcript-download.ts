import { type DeliveredEnvelope, GoalId } from '@parley/protocol'
import { getTranslations } from 'next-intl/server'
import { retryAfterSeconds } from '@/server/trpc/request-context.ts'
import { type ExportedTranscript, exportTranscript } from '@/server/trpc/views/export-transcript.ts'
import { refusedFile } from '../../../../api/serve-file.ts'
import { type People, peopleOf } from '../../_run/to-run-view.ts'
import { readFilter } from './transcript-filter.ts'

export type TranscriptFormat = {
  readonly type: string
  readonly ending: string
  readonly head: string
  readonly line: (message: DeliveredEnvelope, people: People) => string
}

/** The whole transcript, or the part that the URL's filter selects, page by page as the reader requests it. */
export async function streamTranscriptDownload(request: Request, id: string, format: TranscriptFormat): Promise<Response> {
  const goalId = GoalId.safeParse(id)
  if (!goalId.success) return missing()
  try {
    const query = readFilter(new URL(request.url).searchParams)
    return new Response(bodyOf(await exportTranscript(request.headers, { goalId: goalId.data, query }), format), {
      headers: {
        'content-type': format.type,
        'content-disposition': `attachment; filename="${goalId.data}.${format.ending}"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'NOT_FOUND') return missing()
    for (const refusal of [error, (error as { cause?: unknown }).cause])
      if (retryAfterSeconds(refusal) !== null) return refusedFile(refusal)
    throw error
  }
}

function bodyOf({ run, pages }: ExportedTranscript, format: TranscriptFormat): ReadableStream<Uint8Array> {
  const people = peopleOf(run)
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(format.head)),
    async pull(stream) {
      const page = await pages.next()
      if (page.done) return stream.close()
      stream.enqueue(encoder.encode(page.value.map((message) => format.line(message, people)).join('')))
    },
  })
}

async function missing(): Promise<Response> {
  return new Response(`${(await getTranslations('views.file'))('noSuchGoal')}\n`, {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
