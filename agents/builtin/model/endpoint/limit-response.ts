/** A `fetch` whose answers are complete within a limit of time and bytes. The model client itself limits neither of the body. */

export type ResponseLimits = { readonly timeoutMs: number; readonly maxBytes: number }

/** Bytes of one answer: far more than any answer within a token budget. */
export const maxAnswerBytes = 4 * 2 ** 20

/** Rejects if the answer is not complete within the limits. Redirects are refused, because they would carry the key elsewhere. */
export function limitResponses({ timeoutMs, maxBytes }: ResponseLimits, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])])
    const response = await send(input, { ...init, signal, redirect: 'error' })
    const body = await readBody(response, maxBytes)
    const { status, statusText } = response
    const kept = ['content-type', 'retry-after'].flatMap((name): [string, string][] => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers: kept })
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel().catch(() => undefined)
      throw new RangeError(`its answer has more than ${maxBytes} bytes`)
    }
    chunks.push(next.value)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}
