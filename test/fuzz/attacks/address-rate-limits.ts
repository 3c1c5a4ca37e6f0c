import type { Fault } from '../edge/oracles.ts'
import { draftFor } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { isTree, type Value, writeJson } from '../inputs/json-text.ts'
import { hubRequest, inUrl, jsonInUrl, type Operation, type Place, webRequest } from '../operations/operations.ts'
import { pageOperations } from '../operations/pages.ts'
import { procedureOperations } from '../operations/procedures.ts'
import { sourceHeaders } from './header-names-in-source.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/** `make`: a request to it; `n` is another number each time. */
type Entry = { readonly name: string; make(n: number): Request }
/** `counts`: how many requests one of them counts as. `burst`, `perSecond`: what an address may ask for. Kept here, not read from the product. */
type Drain = Entry & { readonly counts: number; readonly burst: number; readonly perSecond: number }
type Side = { readonly name: string; readonly entries: readonly Entry[]; readonly drains: readonly Drain[] }

/** Nothing that anybody could use up is behind them. */
const free = /^page:(POST )?\/api\/health|\/problems\/\[code\]|\/api\/stripe/
const [probes, atOnce] = [6, 16]
/** On a machine so busy that a budget comes back faster than it is used up, nothing is learned. */
const maxDrainMs = 12_000
const maxSideMs = 25_000
let addresses = 0
const newAddress = () => `127.6.${Math.floor(++addresses / 200)}.${(addresses % 200) + 1}`

/** An address that has used up its budget gets nothing more, whatever else of its requests changes; another address does. */
async function overspend(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const side of [webSide(place), chainSide(place), pageSide(place), hubSide(place), listingSide(place), tokenSide(place)])
    faults.push(...(await overspendAt(side)))
  return faults
}

async function overspendAt({ name, entries, drains }: Side): Promise<Fault[]> {
  const headers = sourceHeaders()
  const from = newAddress()
  const faults: Fault[] = []
  for (const drain of drains) {
    const used = await spend(drain, from)
    if (used === null) return []
    if (typeof used === 'number') return [fault('budgets hold', `${name}: ${drain.name}`, `answered ${used} when asked often`)]
    if (!used) return [fault('budgets hold', `${name}: ${drain.name}`, 'one address was answered more often than its budget allows')]
  }
  const until = Date.now() + maxSideMs
  for (const entry of entries) {
    if (Date.now() > until) break
    // It would be refused without a budget too, or needs none.
    if ((await ask({ ...entry.make(0), from: newAddress() })).status >= 300) continue
    // It may have come back between two of them: only what passes each time counts.
    const passed: (number | null)[] = []
    for (let tries = 0; tries < 3 && (passed.at(-1) ?? probes) > probes / 2; tries++)
      passed.push(await passes(entry, drains, from, headers))
    const min = Math.min(...passed.map((one) => one ?? 0))
    if (min > probes / 2)
      faults.push(
        fault('budgets hold', `${name}: ${entry.name}`, `${min} of ${probes} were answered from an address that has nothing left`),
      )
  }
  const neighbour = { ...(drains[0] as Entry).make(1), from: newAddress() }
  if (isLimited(await ask(neighbour)))
    faults.push(fault('budgets hold', `${name}: another address`, 'is refused for what its neighbour did'))
  const victim = { ...(drains[0] as Entry).make(1), from: named }
  if (isLimited(await ask(victim)))
    faults.push(fault('budgets hold', `${name}: a named address`, 'is refused for requests that only named it'))
  return faults
}

/** Sent with a forged client address, in every header that could carry one. */
const named = '127.6.250.1'

/** True once it gets the answer to wait; null where that was out of reach; a status where it breaks meanwhile. */
async function spend({ make, counts, burst, perSecond }: Drain, from: string): Promise<boolean | number | null> {
  const begun = Date.now()
  for (let sent = 0; Date.now() - begun < maxDrainMs; sent += atOnce) {
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, n) => ask({ ...make(sent + n), from })))
    const broken = answers.find(({ status }) => status === 0 || status >= 500)
    if (broken) return broken.status
    if (answers.some(isLimited)) return true
    const allowed = burst + (perSecond * (Date.now() - begun)) / 1_000
    if ((sent + atOnce) * counts > allowed * 1.5 + 100) return false
  }
  return null
}

/**
 * How many of a few requests were served, each with everything different that a client chooses, while others of the same address use up
 * what comes back. Null where they did not keep up.
 */
async function passes(entry: Entry, drains: readonly Drain[], from: string, headers: readonly string[]): Promise<number | null> {
  const told = drains.map((): boolean[] => [])
  let isOver = false
  const use = async ({ make }: Drain, answers: boolean[]) => {
    for (let n = 0; !isOver; n++) answers.push(isLimited(await ask({ ...make(n), from })))
  }
  const loops = drains.flatMap((drain, at) => Array.from({ length: 3 }, () => use(drain, told[at] ?? [])))
  for (const until = Date.now() + 2_000; !told.every(isEmpty) && Date.now() < until; ) await pause(5)
  const isReady = told.every(isEmpty)
  const begun = told.map(({ length }) => length)
  const answers = isReady ? await Promise.all(Array.from({ length: probes }, (_, n) => probe(entry, n, from, headers))) : []
  isOver = true
  const isKept = isReady && told.every((all, at) => isEmpty(all.slice(begun[at])))
  await Promise.all(loops)
  return isKept ? answers.filter(isServed).length : null
}

function probe(entry: Entry, n: number, from: string, headers: readonly string[]): Promise<Answer> {
  const made = entry.make(n + 1)
  const forged = Object.fromEntries(headers.map((header) => [header, valueFor(header, n)]))
  return ask({ ...made, from, headers: { ...forged, ...made.headers } })
}

/** The last of them were nearly all told to wait. */
const isEmpty = (told: readonly boolean[]) =>
  told.length >= 4 && told.slice(-8).filter((isNotified) => isNotified).length >= Math.min(told.length, 8) - 1

function valueFor(header: string, n: number): string {
  if (header === 'cookie') return `parley_session=parley_${n}x; other=${n}`
  if (header === 'authorization') return ''
  if (header === 'forwarded') return `for=${named}`
  if (header === 'user-agent') return `agent ${n}`
  if (header === 'origin' || header === 'referer' || header === 'sec-fetch-site') return ''
  return n % 2 === 0 ? named : `127.6.251.${n + 1}`
}

const isLimited = ({ status, headers, text }: Answer) =>
  status === 429 || `${headers.location ?? ''}`.includes('rate.exceeded') || text.includes('rate.exceeded')
const isServed = (answer: Answer) => !isLimited(answer) && ![0, 400, 401, 403, 405, 413, 503].includes(answer.status) && answer.status < 500

/** Another value of the same shape. */
const another = (value: Value | undefined, n: number): Value => {
  if (typeof value !== 'string') return value ?? null
  const digits = (n * 2_654_435_761 + Date.now()).toString(16).slice(-6)
  return /[0-9a-f]{16}$/.test(value) ? `${value.slice(0, -6)}${digits}` : `${value}${digits}`
}

function webSide(place: Place): Side {
  const get = (procedure: string, input: Value) => (n: number) =>
    webRequest(place, 'anonymous', 'GET', `/api/trpc/${procedure}?input=${jsonInUrl({ json: input })}&v=${n}`)
  const batch = (procedure: string, input: Value, count: number) => () => {
    const all = Array.from({ length: count }, (_, n) => [String(n), input === null ? {} : { json: input }] as const)
    const names = all.map(() => procedure).join(',')
    return webRequest(place, 'anonymous', 'GET', `/api/trpc/${names}?batch=1&input=${jsonInUrl(Object.fromEntries(all))}`)
  }
  const routes = pageOperations().filter(({ name }) => isRoute.test(name) && !free.test(name))
  const reads = procedureOperations().filter(({ isReading, isStream }) => isReading && !isStream)
  return {
    name: 'web',
    drains: [
      { name: 'searches', counts: 1, burst: 100, perSecond: 10, make: get('goals.list', { limit: 1, text: 'zqzq' }) },
      {
        name: 'nonces',
        counts: 1,
        burst: 60,
        perSecond: 1,
        make: () => webRequest(place, 'anonymous', 'POST', '/api/trpc/identity.issueNonce', '{}'),
      },
      { name: 'reads', counts: 16, burst: 600, perSecond: 60, make: batch('channels.minDeposit', null, 16) },
    ],
    entries: [
      ...routes.map((one) => entryOf(place, one)),
      ...reads.filter(({ name }) => !/markdown/.test(name)).map((one) => entryOf(place, one)),
    ],
  }
}

const callsOfBatch = 20

/** A request of several calls to the chain counts as so many. */
function chainSide(place: Place): Side {
  const calls = Array.from({ length: callsOfBatch }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))
  const make = () => webRequest(place, 'anonymous', 'POST', '/api/chain', writeJson(calls))
  return { name: 'chain', drains: [{ name: 'calls of the chain', counts: callsOfBatch, burst: 600, perSecond: 60, make }], entries: [] }
}

/** New listings without a login. Each is for another wallet, and is refused for its name; every second is no listing at all. */
function listingSide(place: Place): Side {
  const draft = (n: number) => {
    const payout = `0x${(BigInt(Date.now()) * 100_000n + BigInt(n)).toString(16).padStart(40, '0')}`
    return n % 2 === 0 ? { ...draftFor(`admin`, 'text.fuzz', payout) } : { handle: n }
  }
  const make = (n: number) => hubRequest(place, 'anonymous', 'POST', '/v1/agents', writeJson(draft(n) as unknown as Value))
  return { name: 'new listings', drains: [{ name: 'POST /v1/agents', counts: 1, burst: 60, perSecond: 1, make }], entries: [] }
}

/** Logins of programs: each is refused for its signature. */
function tokenSide(place: Place): Side {
  const make = (n: number) =>
    hubRequest(place, 'anonymous', 'POST', '/v1/tokens', writeJson({ message: `A message ${n}`, signature: '0x00' }))
  return { name: 'tokens', drains: [{ name: 'POST /v1/tokens', counts: 1, burst: 60, perSecond: 1, make }], entries: [] }
}

const isRoute = /\/api\/|\.(csv|jsonl|json|md)$/

/** Pages count apart from routes: they are used up by the page that reads the most. */
function pageSide(place: Place): Side {
  const pages = pageOperations().filter(({ name }) => /\[/.test(name) && !isRoute.test(name) && !free.test(name))
  const path = `/goals/${place.scene.goals.work.id}`
  return {
    name: 'pages',
    drains: [
      { name: 'a goal', counts: 1, burst: 600, perSecond: 60, make: (n) => webRequest(place, 'anonymous', 'GET', `${path}?v=${n}`) },
    ],
    entries: pages.map((one) => entryOf(place, one)),
  }
}

/** With another id in its address each time, and another query. */
function entryOf(place: Place, operation: Operation): Entry {
  const base = bases.get(place)?.get(operation.name) ?? null
  return {
    name: operation.name,
    make(n) {
      const input = isTree(base)
        ? Object.fromEntries(
            Object.entries(base).map(([key, value]) => [key, n === 0 || key.startsWith('?') ? value : anotherOf(operation, key, value, n)]),
          )
        : base
      const request = operation.request(place, 'anonymous', input)
      if ('frame' in request) throw new Error('it is no frame')
      const url =
        request.method === 'GET' && n > 0 ? `${request.url}${request.url.includes('?') ? '&' : '?'}v=${inUrl(String(n))}` : request.url
      return { ...request, url }
    },
  }
}

/** Of a page each part of its address; of a procedure nothing, since other ids are other answers. */
const anotherOf = ({ name }: Operation, _key: string, value: Value, n: number): Value =>
  name.startsWith('page:') ? another(value, n) : value

const bases = new WeakMap<Place, Map<string, Value>>()
async function prepare(place: Place): Promise<void> {
  const made = new Map<string, Value>()
  for (const one of [...pageOperations(), ...procedureOperations()])
    if (one.isReading && !one.isStream) made.set(one.name, await Promise.resolve(one.base(place, 'anonymous')).catch((): Value => null))
  bases.set(place, made)
}

function hubSide(place: Place): Side {
  const rpc = (at: string, method: string, params: Value) => () => {
    const request = hubRequest(place, 'anonymous', 'POST', at, writeJson({ jsonrpc: '2.0', id: 1, method, params }))
    return { ...request, headers: { ...request.headers, accept: 'application/json, text/event-stream', 'a2a-version': '1.0' } }
  }
  const goalId = place.scene.goals.work.id
  const reads: Drain = { name: 'MCP tools/list', counts: 1, burst: 600, perSecond: 60, make: rpc('/v1/mcp', 'tools/list', {}) }
  const searches: Drain = {
    name: 'registry',
    counts: 1,
    burst: 100,
    perSecond: 10,
    make: (n) => hubRequest(place, 'anonymous', 'GET', `/v1/registry?after=${n % 2}&v=${n}`),
  }
  const post = (at: string, body: Value) => hubRequest(place, 'anonymous', 'POST', at, writeJson(body))
  const nonces: Drain = { name: 'nonces', counts: 1, burst: 60, perSecond: 1, make: () => post('/v1/nonces', {}) }
  return {
    name: 'hub',
    drains: [searches, reads, nonces],
    entries: [
      nonces,
      { name: 'POST /v1/quotes', make: (n) => post('/v1/quotes', { text: `Write ${n} short texts.` }) },
      searches,
      reads,
      {
        name: 'MCP initialize',
        make: rpc('/v1/mcp', 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
      },
      { name: 'MCP find_agents', make: rpc('/v1/mcp', 'tools/call', { name: 'find_agents', arguments: { text: 'write' } }) },
      { name: 'A2A GetTask', make: rpc('/v1/a2a', 'GetTask', { id: goalId }) },
      {
        name: 'A2A SendMessage',
        make: rpc('/v1/a2a', 'SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'somebody who writes' }] } }),
      },
    ],
  }
}

export const budgetsAttack: Attack = {
  name: 'budgets',
  async run(place) {
    await prepare(place)
    return (await overspend(place)).slice(0, 8)
  },
}
