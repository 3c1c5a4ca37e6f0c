import type { ArtifactRef } from '@parley/protocol'
import { getTranslations } from 'next-intl/server'
import { retryAfterSeconds } from '@/server/trpc/request-context.ts'

/** A content security policy for untrusted files: no scripts and no requests. */
const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
/** The types that a browser may show inline. All others are downloads. */
const shown = /^(text\/(plain|csv|markdown)|application\/json|image\/(svg\+xml|png|jpeg|webp))(;|$)/

/** The HTTP response for a file. `download` in the URL makes it a download. */
export function serveFile(request: Request, artifact: ArtifactRef, bytes: BodyInit): Response {
  const isShown = shown.test(artifact.media_type) && !new URL(request.url).searchParams.has('download')
  const type = artifact.media_type.startsWith('text/markdown') ? 'text/plain' : artifact.media_type
  const isText = /^text\/|json/.test(type)
  return new Response(bytes, {
    headers: {
      'content-type': isText && !type.includes('charset') ? `${type}; charset=utf-8` : type,
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(artifact.name)}`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      // The URL contains the hash, so the bytes never change. The right to read them can.
      'cache-control': 'private, max-age=0, must-revalidate',
      etag: `"${artifact.sha256}"`,
    },
  })
}

export async function missingFile(): Promise<Response> {
  return new Response(`${(await getTranslations('views.file'))('missing')}\n`, {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}

/** The response to an expected failure: the time to wait, or "not found". */
export async function refusedFile(failure: unknown): Promise<Response> {
  const wait = retryAfterSeconds(failure)
  if (wait === null) return missingFile()
  return new Response(`${(await getTranslations('views.file'))('tooManyRequests', { seconds: wait })}\n`, {
    status: 429,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': String(wait) },
  })
}

export async function erasedFile(): Promise<Response> {
  return new Response(`${(await getTranslations('views.file'))('erased')}\n`, {
    status: 410,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
