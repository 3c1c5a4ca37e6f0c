import { transformer } from '../../server/trpc/transformer.ts'

/** Follows one room as a page does: by a stream that resumes after the last received message. */
export type Reader = {
  /** Sequence numbers, in the order of arrival. */
  readonly seqs: readonly number[]
  readonly counts: { connects: number; refused: number }
  close(): void
}

const againMs = 100

export function startRoomReader(webUrl: string, roomId: string): Reader {
  const seqs: number[] = []
  const counts = { connects: 0, refused: 0 }
  const ending = new AbortController()
  const input = encodeURIComponent(JSON.stringify(transformer.input.serialize({ room_id: roomId, after: 0 })))
  let last = ''

  async function follow(): Promise<void> {
    const response = await fetch(`${webUrl}/api/trpc/conversations.follow?input=${input}`, {
      headers: { accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }) },
      signal: ending.signal,
    })
    if (!response.ok || !response.body) {
      counts.refused++
      return
    }
    counts.connects++
    let text = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        receive(text.slice(0, end))
        text = text.slice(end + 2)
      }
    }
  }

  function receive(event: string): void {
    const id = /^id: (\d+)$/m.exec(event)?.[1]
    if (id === undefined) return
    last = id
    seqs.push(Number(id))
  }

  void (async () => {
    while (!ending.signal.aborted) {
      await follow().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, againMs))
    }
  })()
  return { seqs, counts, close: () => ending.abort() }
}
