/** One HTTP request within limits of time and bytes, to an allowed address, without redirects or credentials. */
import { lookup as resolve } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type AddressPolicy, findIpError, findUrlError } from './address-policy.ts'

export type FetchLimits = { readonly ms: number; readonly bytes: number }
export type FetchResponse = { readonly status: number; readonly contentType: string; readonly text: string }

/** Why a request failed. Branch on `kind`; the message is a sentence. */
export class FetchError extends Error {
  override readonly name = 'Unreachable'
  readonly kind: 'address' | 'time' | 'bytes' | 'network'
  constructor(kind: FetchError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

type Options = {
  readonly policy: AddressPolicy
  readonly bounds: FetchLimits
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Resolves names; default: the system's resolver. */
  readonly lookup?: LookupFunction
  /** Whether a longer response is cut at the limit of bytes. Default: it fails. */
  readonly truncates?: boolean
}

/**
 * A redirect is returned as its status. @param address absolute, http or https @throws {FetchError} if it is refused by the policy,
 * too slow, too large, or unreachable
 */
export function boundedFetch(address: string, options: Options): Promise<FetchResponse> {
  const { policy, bounds, method = 'GET', body, headers = {}, lookup = resolve as LookupFunction, truncates = false } = options
  const fault = findUrlError(address, policy)
  if (fault !== null) return Promise.reject(new FetchError('address', fault))
  const url = new URL(address)
  const isNamed = policy.allowed.has(url.origin)
  return new Promise((done, fail) => {
    // The connection resolves the name once and checks the result. So the checked address is the one connected to (no DNS rebinding).
    const checked: LookupFunction = (host, how, found) =>
      lookup(host, how, (error, given, family) => {
        const each = typeof given === 'string' ? [given] : given?.map(({ address: ip }) => ip)
        const refused = error ? null : (each ?? []).map(findIpError).find((one) => one !== null)
        if (refused) return found(Object.assign(new FetchError('address', refused), { code: 'EADDR' }), '')
        found(error, given, family)
      })
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const asked = send(url, {
      method,
      headers: { accept: 'application/json, text/event-stream', 'user-agent': 'parley-gateway', ...headers },
      agent: false,
      signal: AbortSignal.timeout(bounds.ms),
      ...(!isNamed && { lookup: checked }),
    })
    asked.once('error', (error) => fail(reasonOf(error, bounds)))
    asked.once('response', (response) => {
      readBody(response, bounds, truncates).then((text) => {
        const contentType = response.headers['content-type'] ?? ''
        done({ status: response.statusCode ?? 0, contentType, text })
      }, fail)
    })
    asked.end(body)
  })
}

async function readBody(response: IncomingMessage, bounds: FetchLimits, truncates: boolean): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > bounds.bytes && !truncates) throw new FetchError('bytes', `It answers with more than ${bounds.bytes} bytes.`)
      chunks.push(chunk)
      // Leaving the loop ends the connection.
      if (size > bounds.bytes) break
    }
  } catch (error) {
    throw reasonOf(error, bounds)
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks).subarray(0, bounds.bytes).toString('utf8')
}

function reasonOf(error: unknown, bounds: FetchLimits): FetchError {
  if (error instanceof FetchError) return error
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') return new FetchError('time', `It did not answer within ${bounds.ms / 1_000} s.`)
  const word = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
  return new FetchError('network', `It can’t be reached (${word}).`)
}
