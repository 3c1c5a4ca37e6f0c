import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { DomainError } from '../errors.ts'
import { requestMalformed, requestTooLarge } from '../gateway/index.ts'
import type { Intake } from './intake.ts'

/**
 * The body of a request as text, at most `most` bytes of it.
 * @throws request.too_large, request.malformed where it is not UTF-8, rate.exceeded where this hub holds too much already
 */
export async function readText(request: IncomingMessage, most: number, intake: Pick<Intake, 'hold'>): Promise<string> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > most) throw requestTooLarge(announced, most)
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Left early, the iterator would end the connection, and with it our answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.length > most) throw requestTooLarge(size + chunk.length, most)
      if (!intake.hold(chunk.length)) throw tooMuchAtOnce()
      size += chunk.length
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw requestMalformed('The body broke off.')
  } finally {
    intake.hold(-size)
  }
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw requestMalformed('The body is not UTF-8.')
  return bytes.toString('utf8')
}

const tooMuchAtOnce = () =>
  new DomainError('rate.exceeded', 'This hub receives as much at the moment as it can hold.', { facts: { retry_after_seconds: 5 } })
