/** HTTP client for the task's sites: limited in bytes, time and rate, to checked addresses. */
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EgressPolicy, findUrlViolation, resolveAddress } from './egress-policy.ts'

export const userAgent = 'ParleyWebAgent/0.1 (automated, on behalf of a person)'

export type SiteRequest = {
  readonly method: string
  readonly url: string
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
}
export type SiteResponse = {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly link: string
  readonly location: string
}
export type SiteClient = (asking: SiteRequest) => Promise<SiteResponse | { readonly refused: string }>

const maxBytes = 2 * 2 ** 20
const patienceMs = 10_000

/** Rate limit: one request per origin in `gapMs`, for all tasks of this process. */
export function createOriginThrottle(gapMs: number): (origin: string) => Promise<void> {
  const freeAt = new Map<string, number>()
  return async (origin) => {
    const now = Date.now()
    const at = Math.max(now, freeAt.get(origin) ?? 0)
    freeAt.set(origin, at + gapMs)
    if (at > now) await sleep(at - now)
  }
}
export type OriginThrottle = ReturnType<typeof createOriginThrottle>

export function createSiteClient(guard: EgressPolicy, pace: OriginThrottle): SiteClient {
  return async function ask({ method, url, body, signal }) {
    const reason = findUrlViolation(url, guard)
    if (reason) return { refused: reason }
    const { hostname, port, protocol, origin } = new URL(url)
    const to = await resolveAddress(hostname, Number(port || (protocol === 'https:' ? 443 : 80)), guard)
    if ('refused' in to) return to
    await pace(origin)
    const headers = {
      accept: 'application/json, text/plain;q=0.5, */*;q=0.1',
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    }
    // Connects to the checked address, without resolving the name again.
    const lookup: http.RequestOptions['lookup'] = (_host, options, done) =>
      options.all ? done(null, [to]) : done(null, to.address, to.family)
    const until = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal ? [signal] : [])])
    return new Promise((resolve) => {
      const send = protocol === 'https:' ? https.request : http.request
      const asked = send(url, { method, headers, lookup, signal: until, agent: false }, (came) => {
        const chunks: Buffer[] = []
        let size = 0
        came.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) came.destroy()
          else chunks.push(chunk)
        })
        came.once('error', () => resolve({ refused: 'The answer broke off.' }))
        came.once('close', () => {
          if (!came.complete) return resolve({ refused: size > maxBytes ? 'The answer is too large.' : 'The answer broke off.' })
          const { 'content-type': type = '', link = '', location = '' } = came.headers
          resolve({ status: came.statusCode ?? 0, type, text: Buffer.concat(chunks).toString('utf8'), link: String(link), location })
        })
      })
      asked.once('error', () => resolve({ refused: until.aborted ? 'The site took too long.' : 'The site does not answer.' }))
      asked.end(body)
    })
  }
}
