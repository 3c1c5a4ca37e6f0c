import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { requestMalformed, requestTooLarge } from '../../commands/index.ts'
import { DomainError } from '../../errors.ts'
import { type BodyFault, type BodyReadOptions, receiveBodyWithinLimits } from '../../http/receive-body-within-limits.ts'

/**
 * Reads the body of a request as text.
 * @throws request.too_large; request.malformed if it is not UTF-8 or too slow; rate.exceeded if this hub or sender holds too much at once
 */
export async function readRequestText(request: IncomingMessage, bounds: BodyReadOptions): Promise<string> {
  const body = await receiveBodyWithinLimits(request, bounds)
  if (!body.ok) throw bodyError(body.fault, request, bounds.maxBytes)
  body.release()
  if (!isUtf8(body.bytes)) throw requestMalformed('The body is not UTF-8.')
  return body.bytes.toString('utf8')
}

function bodyError(fault: BodyFault, request: IncomingMessage, max: number): DomainError {
  const announced = Number(request.headers['content-length'] ?? 0)
  switch (fault) {
    case 'too large':
      return requestTooLarge(announced > max ? announced : null, max)
    case 'too slow':
      return requestMalformed('The body arrived too slowly.')
    case 'broken':
      return requestMalformed('The body is incomplete.')
    case 'full':
      return new DomainError('rate.exceeded', 'This hub has no buffer space for the request now.', {
        facts: { retry_after_seconds: 5 },
      })
    default:
      return fault satisfies never
  }
}
