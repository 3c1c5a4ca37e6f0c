import { randomUUID } from 'node:crypto'
import { IncomingMessage, type ServerResponse } from 'node:http'
import { DomainError, serverUnavailable, toProblem } from '../../errors.ts'
import { bodyLimitsOf } from '../../http/body-limits.ts'
import { type BufferBudget, createBufferBudget } from '../../http/buffer-budget.ts'
import { clientAddressHeader, rateSource } from '../../http/client-ip-address.ts'
import { type BodyFault, type BodyReadOptions, receiveBodyWithinLimits } from '../../http/receive-body-within-limits.ts'

export type WebBodyReceiverOptions = {
  readonly isSignedIn: (headers: Headers) => Promise<boolean>
  readonly budget?: BufferBudget
  readonly minRate?: BodyReadOptions['minRate']
}
/** The request for the pages; null if it was refused and answered. */
export type WebBodyReceiver = (request: IncomingMessage, response: ServerResponse) => Promise<IncomingMessage | null>

/**
 * Receives each body before the pages see the request, because Next copies every body that it gets. Without a login the smaller limit
 * applies. The bytes count until the answer has ended.
 */
export function createWebBodyReceiver({ isSignedIn, budget = createBufferBudget(), minRate }: WebBodyReceiverOptions): WebBodyReceiver {
  async function maxOf(request: IncomingMessage): Promise<number> {
    const { unproven, proven } = bodyLimitsOf(request.url ?? '/')
    const announced = request.headers['content-length']
    if (proven <= unproven || (announced !== undefined && Number(announced) <= unproven)) return unproven
    return (await isSignedIn(headersOf(request))) ? proven : unproven
  }

  return async (request, response) => {
    if (!hasBody(request)) return request
    const maxBytes = await maxOf(request).catch((error: unknown) => serverUnavailable(error))
    if (typeof maxBytes !== 'number') return refuse(request, response, maxBytes)
    const sender = rateSource(String(request.headers[clientAddressHeader] ?? ''))
    const body = await receiveBodyWithinLimits(request, { maxBytes, sender, budget, ...(minRate && { minRate }) })
    if (!body.ok) return refuse(request, response, refusalOf(body.fault, maxBytes))
    response.once('close', body.release)
    if (response.destroyed) body.release()
    return replay(request, body.bytes)
  }
}

const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])))
}

/** The same request with its complete body. */
function replay(request: IncomingMessage, bytes: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request
  const again = Object.assign(new IncomingMessage(request.socket), { httpVersion, httpVersionMajor, httpVersionMinor, complete: true })
  Object.assign(again, { method, url, headers, rawHeaders })
  again.push(bytes)
  again.push(null)
  return again
}

function refusalOf(fault: BodyFault, max: number): DomainError {
  switch (fault) {
    case 'too large':
      return new DomainError('request.too_large', `The body has more than ${max} bytes.`, {
        hint: 'Sign in first. Without a login, only small requests are accepted.',
        facts: { max },
      })
    case 'too slow':
      return new DomainError('request.malformed', 'The body arrived too slowly.')
    case 'broken':
      return new DomainError('request.malformed', 'The body is incomplete.')
    case 'full':
      return new DomainError('rate.exceeded', 'The server has no buffer space for the request now.', {
        facts: { retry_after_seconds: 5 },
      })
    default:
      return fault satisfies never
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: DomainError): null {
  const problem = toProblem(error, randomUUID())
  const wait = problem.retry_after === undefined ? {} : { 'retry-after': String(problem.retry_after) }
  response.writeHead(problem.status, { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...wait })
  response.end(JSON.stringify(problem))
  // Reads and discards the rest. Unread data would reset the connection before the client has the answer.
  request.resume()
  return null
}
