import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { constants } from 'node:zlib'
import compression from 'compression'
import sirv from 'sirv'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** About the size of gzip's best level, in the time of its fastest. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Serves the built files below `/_next/static` from `root` as the build has compressed them, and compresses the answers of `handle`. Live
 * streams are not compressed: an event must not wait for the next one.
 */
export function compressResponses(root: string, handle: Handler): Handler {
  const serveFile = sirv(path.join(root, '.next/static'), { brotli: true, etag: true, immutable: true, maxAge: 31_536_000 })
  const compress = compression({ brotli, filter: (request, response) => !isLiveStream(response) && compression.filter(request, response) })
  return (request, response) => {
    const answer = () => compress(request as never, response as never, () => void handle(request, response))
    const { url = '' } = request
    if (!url.startsWith(staticPrefix) || (request.method !== 'GET' && request.method !== 'HEAD')) {
      answer()
      return
    }
    // The next handler answers a file that is not there, with the address as it came.
    request.url = url.slice(staticPrefix.length - 1)
    serveFile(request, response, () => {
      request.url = url
      answer()
    })
  }
}

const staticPrefix = '/_next/static/'

const isLiveStream = (response: ServerResponse): boolean => /^text\/event-stream/.test(String(response.getHeader('content-type') ?? ''))
