import type { Fault } from '../edge/oracles.ts'
import { ask, closeConnections, type Request } from '../ground/http.ts'
import { plainOperations } from '../operations/all.ts'
import { hubRequest, type Operation, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { type Entrance, entrancesOf, newAddress, type Refusal, refusals } from './refused-bodies.ts'
import { fault, pause } from './request-helpers.ts'

/** SECURITY.md limits the buffered bytes of each sender: server/http/buffer-budget.ts allows 32 MiB. */
const budgetBytes = 33 * 2 ** 20
/** Small bodies take many requests: two refusals of them, which end at other places, and one that is left. */
const maxRequestsOfAll = 400
const atOnce = 8
/** SECURITY.md: at most 100 live streams of one address or person; a poll has fewer. */
const abandoned = 110
const leavingAtOnce = 22
/** Objects that other requests of the product may hold meanwhile. */
const noiseObjects = 24

/** After many refusals of one kind the same sender is served, and nothing of the requests is left. */
async function refuseAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const entrance of await entrancesOf(place)) {
    const count = Math.ceil(budgetBytes / entrance.bytes)
    // One function receives all bodies of the web, so that the larger ones show what it keeps.
    if (count > maxRequestsOfAll && entrance.process === 'web') continue
    for (const refusal of count > maxRequestsOfAll ? refusals.slice(0, 3) : refusals) {
      const found = await exhaust(entrance, refusal, count)
      if (found === null) continue
      faults.push(found)
      break
    }
  }
  return [...faults, ...(await abandonAll(place)), ...(await keptFaults(place))]
}

const isFull = ({ text }: { readonly text: string }) => text.includes('buffer space')

async function exhaust(entrance: Entrance, { what, send }: Refusal, count: number): Promise<Fault | null> {
  const { name, process, bytes } = entrance
  // As large as one may be: a small one may still fit.
  const large = () => ask(entrance.make(Buffer.from('{}'.padEnd(bytes, ' '))))
  const before = await large()
  let [sent, limited] = [0, 0]
  const work = async () => {
    // What is refused before it is read uses up nothing.
    while (sent++ < count && limited < atOnce) if ((await send(entrance, bytes)).status === 429) limited++
  }
  await Promise.all(Array.from({ length: bytes > 1_000_000 ? 1 : atOnce }, work))
  let after = await large()
  // A rate limit ends it before the budget is used up.
  if (limited >= atOnce && !isFull(after)) return null
  for (let waits = 0; waits < 6 && after.status === 429 && before.status !== 429; waits++) {
    if (isFull(after)) break
    await pause(1_000)
    after = await large()
  }
  if (!isFull(after) && (after.status === before.status || before.status === 429)) return null
  return fault(
    'refusals leave nothing behind',
    `${process}: ${name}`,
    `${after.status} after ${sent} times ${what}: ${after.text.slice(0, 200)}`,
  )
}

/** Streams and polls that their reader leaves, one after the other: a new one is served. */
async function abandonAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const streams = (await plainOperations(place.installation)).filter(({ isStream }) => isStream)
  for (const operation of streams) {
    const role = operation.roles.includes('client') ? 'client' : operation.roles[0]
    if (role === undefined) continue
    const make = await streamRequest(place, operation, role)
    if (make) faults.push(...(await abandon(operation.name, make, abandoned)))
  }
  const poll = () => hubRequest(place, 'helper', 'GET', '/v1/messages?wait=20')
  return [...faults, ...(await abandon('GET /v1/messages', poll, 16))]
}

async function streamRequest(place: Place, operation: Operation, role: Operation['roles'][number]): Promise<(() => Request) | null> {
  const input = await Promise.resolve(operation.base(place, role)).catch(() => null)
  const request = operation.request(place, role, input)
  return 'frame' in request ? null : () => request
}

async function abandon(name: string, make: () => Request, count: number): Promise<Fault[]> {
  const before = await ask(make(), { isStream: true })
  for (let sent = 0; sent < count; sent += leavingAtOnce)
    await Promise.all(Array.from({ length: Math.min(leavingAtOnce, count) }, () => ask(make(), { isStream: true })))
  let after = await ask(make(), { isStream: true })
  // The rate limit refills meanwhile.
  for (let waits = 0; waits < 6 && after.status === 429; waits++) {
    await pause(1_000)
    after = await ask(make(), { isStream: true })
  }
  if (after.status !== 429 || before.status === 429) return []
  return [fault('refusals leave nothing behind', name, `429 after ${count} streams whose reader had left: ${after.text.slice(0, 200)}`)]
}

const keptRequests = 40
/** One server renders all pages: a few of them show what it keeps. */
const maxPages = 4

/** Answered requests are garbage: the objects of Node that stand for them do not grow in number. */
async function keptFaults(place: Place): Promise<Fault[]> {
  const all = await samples(place)
  const faults: Fault[] = []
  for (const process of ['web', 'hub'] as const) {
    const own = all.filter(({ url }) => url.startsWith(place.installation[process].url))
    // Each alone, to name the one that is kept.
    if ((await keptOf(place, process, own)) <= noiseObjects) continue
    for (const request of own) {
      if (faults.length > 1) break
      const grown = await keptOf(place, process, [request])
      const subject = `${process}: ${request.method} ${new URL(request.url).pathname}`
      if (grown <= noiseObjects) continue
      faults.push(fault('requests are freed', subject, `${grown} of ${keptRequests} are held`))
    }
  }
  return faults
}

/** How many more requests the process holds after these were sent and answered. */
async function keptOf(place: Place, process: 'web' | 'hub', requests: readonly Request[]): Promise<number> {
  const count = async () => {
    closeConnections()
    await pause(100)
    return (await place.installation[process].look(true)).requests
  }
  const before = await count()
  for (const request of requests)
    for (let sent = 0; sent < keptRequests; sent += atOnce) await Promise.all(Array.from({ length: atOnce }, () => ask(request)))
  return (await count()) - before
}

/** A valid request of each path of the hub, of each route of the web, and of some pages. */
async function samples(place: Place): Promise<Request[]> {
  const found = new Map<string, Request>()
  for (const operation of await plainOperations(place.installation)) {
    const [role] = operation.roles
    if (!operation.isReading || operation.isStream || role === undefined) continue
    const request = operation.request(place, role, await Promise.resolve(operation.base(place, role)).catch(() => null))
    if ('frame' in request) continue
    found.set(`${request.method} ${kindOfPath(new URL(request.url).pathname)}`, { ...request, from: newAddress() })
  }
  const pages = [...found].filter(([kind]) => !/ \/(api|v1)\b/.test(kind))
  return [...found].flatMap(([kind, request]) => (pages.slice(maxPages).some(([page]) => page === kind) ? [] : [request]))
}

function kindOfPath(pathname: string): string {
  if (pathname.startsWith('/api/trpc/')) return '/api/trpc'
  return pathname.split('/', /^\/(v1|api)\//.test(pathname) ? 3 : 2).join('/')
}

export const leftBehind: Attack = { name: 'refusals', run: refuseAll }
