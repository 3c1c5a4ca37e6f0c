import { isUtf8 } from 'node:buffer'
import { type Json, parseStrict, problems, RegistryPage } from '@parley/protocol'

/** Larger than any page of our own. */
const maxPageBytes = 2_097_152
const timeoutMs = 10_000
const beyondHeadStatus = problems['cursor.beyond_head'].status

export type FetchedPage =
  | { readonly kind: 'page'; readonly page: RegistryPage; readonly etag: string | null }
  | { readonly kind: 'same' }
  /** The peer's last revision is lower than the one that was read, so its registry must be read from the beginning. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'trouble'; readonly why: string }

/**
 * Fetches one page of a peer's registry from its hub. Redirects are not followed. The answer is limited in bytes and time, and parsed;
 * its statements are not verified here.
 */
export async function fetchRegistryPage(hubUrl: string, asked: { after: number; etag: string | null }): Promise<FetchedPage> {
  const url = new URL('/v1/registry', hubUrl)
  url.searchParams.set('after', String(asked.after))
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      credentials: 'omit',
      headers: { accept: 'application/json', ...(asked.etag !== null && { 'if-none-match': asked.etag }) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 304) return { kind: 'same' }
    if (response.status !== 200) {
      await response.body?.cancel()
      if (response.status === beyondHeadStatus && asked.after > 0) return { kind: 'beyond' }
      return failed(response.status >= 300 && response.status < 400 ? 'It redirects elsewhere.' : `It answered with ${response.status}.`)
    }
    const bytes = await readBounded(response)
    if (bytes === null) return failed(`Its page has more than ${maxPageBytes} bytes.`)
    if (!isUtf8(bytes)) return failed('Its page is not UTF-8.')
    const parsed = RegistryPage.safeParse(parseStrict(bytes.toString()))
    if (!parsed.success) return failed(`Its answer is not a registry page: ${parsed.error.issues[0]?.message ?? 'unreadable'}.`)
    return { kind: 'page', page: parsed.data, etag: response.headers.get('etag')?.slice(0, 100) ?? null }
  } catch (error) {
    return failed(describeFailure(error))
  }
}

function failed(why: string): FetchedPage {
  return { kind: 'trouble', why }
}

async function readBounded(response: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxPageBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `It did not answer within ${timeoutMs / 1_000} s.`
  if (error instanceof Error && error.name === 'CanonicalError') return `Its answer is not a registry page: ${error.message}.`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return `It is unreachable${cause ? `: ${cause.slice(0, 200)}` : ''}.`
}

/** A statement before verification. */
export type ReceivedStatement = { readonly [field: string]: Json }
