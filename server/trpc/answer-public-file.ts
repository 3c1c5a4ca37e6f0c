import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { DomainError, toProblem } from '../errors.ts'
import { admitRate } from '../policy/index.ts'

/** A request for something public. `source`: the caller's address, for the rate limit. */
export type PublicRequest = { readonly ctx: Context; readonly source: string }

/** `mediaType`: with its charset, if it is text. */
export type PublicFile = {
  readonly mediaType: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

/** A public file for programs, or a problem. Scripts of any origin can read it; no browser runs what is in it. */
export async function answerPublicFile({ ctx, source }: PublicRequest, read: () => Promise<PublicFile>): Promise<Response> {
  const headers = {
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-cache',
  }
  try {
    await admitRate(ctx, 'read', source)
    const file = await read()
    return new Response(file.body, { headers: { ...headers, 'content-type': file.mediaType, ...file.headers } })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const problem = toProblem(error, randomUUID())
    const wait = problem.retry_after === undefined ? {} : { 'retry-after': String(problem.retry_after) }
    return Response.json(problem, { status: problem.status, headers: { ...headers, ...wait, 'content-type': 'application/problem+json' } })
  }
}
