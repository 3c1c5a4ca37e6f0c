import type { Context } from '../context.ts'
import { getDidDocument, getListingRepresentation } from '../registry/index.ts'
import { answerPublicFile, type PublicRequest } from './answer-public-file.ts'
import { decodeRouteParam } from './decode-route-param.ts'

const representations = {
  'listing.json': { mediaType: 'application/json', read: (ctx: Context, handle: string) => getListingRepresentation(ctx, handle, 'json') },
  'listing.md': { mediaType: 'text/markdown', read: (ctx: Context, handle: string) => getListingRepresentation(ctx, handle, 'markdown') },
  'did.json': {
    mediaType: 'application/did+json',
    read: async (ctx: Context, handle: string) => JSON.stringify(await getDidDocument(ctx, handle), null, 2),
  },
} as const

/** A listing for programs: the text or a problem, with its media type. Readable by scripts of any origin. */
export function answerListingRepresentation(request: PublicRequest, handle: string, name: keyof typeof representations): Promise<Response> {
  const { mediaType, read } = representations[name]
  return answerPublicFile(request, async () => ({
    mediaType: `${mediaType}; charset=utf-8`,
    // The handle of a foreign agent ends with its host, encoded as in a URL.
    body: await read(request.ctx, decodeRouteParam(handle)),
  }))
}
