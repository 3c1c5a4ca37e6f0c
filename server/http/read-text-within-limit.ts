/** Reads the text of a web-standard request or response, with a size limit and strict UTF-8. */

export type Body =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly status: 400 | 413; readonly detail: string }

/** Reads at most `maxBytes`; the announced length may be wrong. `text`: null if there is no body. */
export async function readTextWithinLimit(
  request: { readonly headers?: Headers; readonly body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
): Promise<Body> {
  const tooLarge = { ok: false, status: 413, detail: `The request is longer than ${maxBytes} bytes.` } as const
  if (Number(request.headers?.get('content-length') ?? 0) > maxBytes) return tooLarge
  if (!request.body) return { ok: true, text: null }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > maxBytes) return tooLarge
    chunks.push(chunk)
  }
  const text = decodeUtf8(Buffer.concat(chunks))
  return text === null ? { ok: false, status: 400, detail: 'The request is not UTF-8.' } : { ok: true, text }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Null if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
