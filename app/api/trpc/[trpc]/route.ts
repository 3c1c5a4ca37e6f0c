import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { createCall } from '@/server/trpc/call.ts'
import { appRouter } from '@/server/trpc/root.ts'

export const dynamic = 'force-dynamic'

/** Attachments of a goal travel inside its post; nothing else comes near. */
const maxBodyBytes = 12 * 1024 * 1024

async function handle(request: Request): Promise<Response> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) return new Response('The request is too large.', { status: 413 })
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: limited(request),
    router: appRouter,
    createContext: ({ resHeaders }) => createCall({ headers: request.headers, reply: resHeaders }),
  })
}

export { handle as GET, handle as POST }

/** The same request, whose body fails once it is longer than allowed: a length that was announced need not be true. */
function limited(request: Request): Request {
  if (!request.body) return request
  let seen = 0
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength
        if (seen > maxBodyBytes) controller.error(new RangeError('The request is too large.'))
        else controller.enqueue(chunk)
      },
    }),
  )
  const init: RequestInit & { duplex: 'half' } = {
    method: request.method,
    headers: request.headers,
    body,
    duplex: 'half',
    signal: request.signal,
  }
  return new Request(request.url, init)
}
