import { streamTranscriptDownload } from '../transcript/_audit/stream-transcript-download.ts'

export const dynamic = 'force-dynamic'

/** One envelope per line, as delivered: the input of the hash chain. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params
  return streamTranscriptDownload(request, id, {
    type: 'application/jsonl; charset=utf-8',
    ending: 'jsonl',
    head: '',
    line: (message) => `${JSON.stringify(message)}\n`,
  })
}
