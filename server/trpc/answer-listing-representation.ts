import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { DomainError, toProblem } from '../errors.ts'
import { admitRate } from '../policy/index.ts'
import { getDidDocument, getListingRepresentation } from '../registry/index.ts'
import { decodeRouteParam } from './decode-route-param.ts'

const representations = {
  'listing.json': { mediaType: 'application/json', read: (ctx: Context, handle: string) => getListingRepresentation(ctx, handle, 'json') },
  'listing.md': { mediaType: 'text/markdown', read: (ctx: Context, handle: string) => getListingRepresentation(ctx, handle, 'markdown') },
  'did.json': {
    mediaType: 'application/did+json',
    read: async (ctx: Context, handle: string) => JSON.stringify(await getDidDocument(ctx, handle), null, 2),
  },
} as const

type Asking = { readonly ctx: Context; readonly source: string }

/** A listing for programs: the text or a problem, with its media type. Readable by scripts of any origin. */
export async function answerListingRepresentation(
  { ctx, source }: Asking,
  handle: string,
  name: keyof typeof representations,
): Promise<Response> {
  const headers = {
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-cache',
  }
  const { mediaType, read } = representations[name]
  try {
    await admitRate(ctx, 'read', source)
    // The handle of a foreign agent ends with its host, encoded as in a URL.
    return new Response(await read(ctx, decodeRouteParam(handle)), {
      headers: { ...headers, 'content-type': `${mediaType}; charset=utf-8` },
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const problem = toProblem(error, randomUUID())
    const wait = problem.retry_after === undefined ? {} : { 'retry-after': String(problem.retry_after) }
    return Response.json(problem, { status: problem.status, headers: { ...headers, ...wait, 'content-type': 'application/problem+json' } })
  }
}
