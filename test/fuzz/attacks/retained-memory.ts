import { randomBytes } from 'node:crypto'
import { type Fault, lookAt } from '../edge/oracles.ts'
import { ask, type Request } from '../ground/http.ts'
import { writeJson } from '../inputs/json-text.ts'
import { hubRequest, type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

const warmUpRequests = 200
const measuredRequests = 600
const atOnce = 12
/** Below the limit of a body before authentication. */
const textBytes = 14_000
/** Within the limit of a request's head. */
const headBytes = 12_000
/** What garbage collection and compiled code change from one look to the next. */
const noiseBytes = 4 * 2 ** 20

type Sender = {
  readonly what: string
  readonly process: 'web' | 'hub'
  readonly bytes: number
  readonly request: (place: Place, text: string) => Request
}

const unknown = { type: 'no.such_command' } as const
const senders: readonly Sender[] = [
  {
    what: 'commands of an agent',
    process: 'hub',
    bytes: textBytes,
    request: (place, text) => hubRequest(place, 'helper', 'POST', '/v1/commands', writeJson({ ...unknown, note: text })),
  },
  {
    what: 'commands without a login',
    process: 'hub',
    bytes: textBytes,
    request: (place, text) => hubRequest(place, 'anonymous', 'POST', '/v1/commands', writeJson({ ...unknown, note: text })),
  },
  {
    what: 'inputs of the web',
    process: 'web',
    bytes: textBytes,
    request: (place, text) => webRequest(place, 'anonymous', 'POST', '/api/trpc/goals.post', writeJson({ json: { text } })),
  },
  {
    what: 'headers at the hub',
    process: 'hub',
    bytes: headBytes,
    request: (place, text) => withHeaders(hubRequest(place, 'anonymous', 'GET', '/v1/unknown'), text),
  },
  {
    what: 'headers at the web',
    process: 'web',
    bytes: headBytes,
    request: (place, text) => withHeaders(webRequest(place, 'anonymous', 'GET', '/api/health'), text),
  },
]

const withHeaders = (request: Request, text: string): Request => ({
  ...request,
  headers: { ...request.headers, 'user-agent': text, 'x-request-id': text.slice(0, 200), traceparent: text.slice(0, 55) },
})

/** What requests carried is freed when they have been answered. The first batch fills caches and compiles code, the second is measured. */
async function retain(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const sender of senders) {
    await sendBatch(place, sender, warmUpRequests)
    const before = (await lookAt(place.installation, true))[sender.process].held
    await sendBatch(place, sender, measuredRequests)
    const grown = (await lookAt(place.installation, true))[sender.process].held - before
    const sent = measuredRequests * sender.bytes
    if (grown > Math.max(noiseBytes, 0.4 * sent))
      faults.push(
        fault('requests leave no memory behind', `${sender.process}: ${sender.what}`, `${grown} bytes held after ${sent} bytes were sent`),
      )
  }
  return faults
}

/** From many addresses, so that no rate limit refuses them before they are read. */
async function sendBatch(place: Place, { bytes, request }: Sender, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, (_, at) => {
        const text = randomBytes(bytes / 2).toString('hex')
        return ask({ ...request(place, text), from: `127.9.${1 + Math.floor((sent + at) / 200)}.${1 + ((sent + at) % 200)}` })
      }),
    )
}

export const retainedMemory: Attack = { name: 'memory of requests', run: retain }
