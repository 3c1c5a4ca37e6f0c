import { randomUUID } from 'node:crypto'
import { CanonicalError, limits, parseStrict, requestBounds } from '@parley/protocol'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { requestMalformed, requestTooLarge } from '../commands/index.ts'
import { toProblem } from '../errors.ts'
import { readTextWithinLimit } from '../http/read-text-within-limit.ts'
import { appRouter } from './app-router.ts'
import { createRequestContext } from './request-context.ts'

/** The maximum number of procedures per request. Pages never send more. */
const maxBatchSize = 16
/** The maximum size of all query answers of one request, in bytes: the longest list page and what a page requests beside it. */
const answerBytes = 4 * limits.pageBytes
/** The levels around an input: its place in the batch, and the transformer's field. */
const depthAround = 2

/** Handles one tRPC request. A request that is too long, deep or wide, or not UTF-8, reaches no procedure. */
export async function handleTrpcRequest(request: Request): Promise<Response> {
  const body = await readTextWithinLimit(request, limits.requestBytes)
  if (!body.ok) return refuse(body.status === 413 ? requestTooLarge(null, limits.requestBytes) : requestMalformed(body.detail))
  const fault = body.text === null || !isJson(request) ? null : faultOf(body.text)
  if (fault !== null) return refuse(requestMalformed(`The request is not valid JSON: ${fault}.`))
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: body.text === null ? request : withBody(request, body.text),
    router: appRouter,
    maxBatchSize,
    createContext: ({ resHeaders }) => createRequestContext({ headers: request.headers, reply: resHeaders, answerBytes }),
  })
}

function isJson(request: Request): boolean {
  return request.headers.get('content-type')?.includes('json') === true
}

/** Parses with limits, so that an oversized request costs no more than they allow. */
function faultOf(text: string): string | null {
  try {
    parseStrict(text, { ...requestBounds, depth: requestBounds.depth + depthAround })
    return null
  } catch (error) {
    if (error instanceof CanonicalError) return error.message
    throw error
  }
}

function refuse(error: Error): Response {
  const problem = toProblem(error, randomUUID())
  return Response.json(problem, { status: problem.status, headers: { 'content-type': 'application/problem+json' } })
}

function withBody(request: Request, body: string): Request {
  const { method, headers, signal } = request
  return new Request(request.url, { method, headers, body, signal })
}
