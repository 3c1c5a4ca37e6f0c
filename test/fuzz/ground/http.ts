/** Requests as bytes, so that nothing between here and the server corrects them. Loopback only. */
import http from 'node:http'
import type { Value } from '../inputs/json-text.ts'
import { patience } from './slowness.ts'

export type Request = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** The loopback address that it comes from: another one is another stranger. */
  readonly from?: string
}
/** `status` 0: no answer. `text` is cut, `bytes` is not. */
export type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  readonly bytes: number
  readonly ms: number
  readonly fault?: string
}
export type Input = Value

/** All that its receiver can read in it. */
export const shownBy = ({ headers, text }: Pick<Answer, 'headers' | 'text'>): string => `${JSON.stringify(headers)} ${text}`

const keptBytes = 4_000_000
/** What is longer is not read to its end. */
const maxBytes = 100_000_000
const agents = new Map<string, http.Agent>()

function agentFor(from: string): http.Agent {
  const known = agents.get(from)
  if (known) return known
  const made = new http.Agent({ keepAlive: true, maxSockets: 16, timeout: 60_000 })
  agents.set(from, made)
  return made
}

export function closeConnections(): void {
  for (const agent of agents.values()) agent.destroy()
  agents.clear()
}

/** The fault of an answer that began and never ended. */
export const cutOff = 'the answer was cut off'

/** `isStream`: the answer goes on; what arrived within `streamMs` is taken. */
export function ask(request: Request, { timeoutMs = patience(20_000), isStream = false, streamMs = patience(150) } = {}): Promise<Answer> {
  const { hostname, port, pathname, search } = splitUrl(request.url)
  if (!/^(127\.|localhost$)/.test(hostname)) throw new Error(`${hostname} is not loopback`)
  const from = request.from ?? '127.0.0.1'
  const begun = performance.now()
  return new Promise((resolve) => {
    let bytes = 0
    const chunks: Buffer[] = []
    let isDone = false
    const end = (answer: Partial<Answer>) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: 0, headers: {}, text, bytes, ms: performance.now() - begun, ...answer })
    }
    const sent = http.request({
      host: hostname === 'localhost' ? '127.0.0.1' : hostname,
      port,
      path: `${pathname}${search}`,
      method: request.method,
      localAddress: from,
      agent: isStream ? false : agentFor(from),
      headers: { ...request.headers, ...(request.body && { 'content-length': String(request.body.length) }) },
    })
    const timer = setTimeout(() => {
      end({ fault: `no answer within ${Math.round(timeoutMs)} ms` })
      sent.destroy()
    }, timeoutMs)
    sent.on('error', (error) => end({ fault: error.message }))
    sent.on('response', (response) => {
      const { statusCode = 0, headers } = response
      const finish = () => {
        const isCutOff = !response.complete && !isStream && bytes <= maxBytes
        end({ status: statusCode, headers, ...(isCutOff && { fault: cutOff }) })
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= keptBytes) chunks.push(chunk)
        if (bytes > maxBytes) sent.destroy()
      })
      response.on('end', finish)
      response.on('close', finish)
      response.on('error', finish)
      if (isStream)
        setTimeout(() => {
          finish()
          sent.destroy()
        }, streamMs)
    })
    sent.end(request.body ?? undefined)
  })
}

/** Not by `URL`, which would repair what is meant to be broken. */
function splitUrl(url: string): { hostname: string; port: number; pathname: string; search: string } {
  const [, hostname = '', port = '80', rest = '/'] = /^http:\/\/([^/:]+)(?::(\d+))?(.*)$/s.exec(url) ?? []
  const at = rest.indexOf('?')
  return { hostname, port: Number(port), pathname: at < 0 ? rest || '/' : rest.slice(0, at), search: at < 0 ? '' : rest.slice(at) }
}
