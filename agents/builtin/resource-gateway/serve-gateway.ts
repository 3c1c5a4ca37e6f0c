/** A running gateway: its HTTP server, its periodic work, its files, and its reports to the market's server. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { type Json, type PoolEntry, parseStrict, type Rule, type Signer } from '@parley/protocol'
import { evictOldest } from './evict-oldest.ts'
import { createGatewayServer } from './gateway-server.ts'
import { boundedFetch } from './net/bounded-fetch.ts'
import { createGateway, type Gateway, type GatewayOptions, type PoolChange } from './pool/gateway-pool.ts'
import type { GatewayPeer } from './pool/referrals.ts'
import { toPoolEntry } from './pool/to-pool-entry.ts'
import { createProxyAgents, type ProxyAgents, type ProxyAgentsOptions } from './proxy/proxy-agents.ts'
import { createResourceCaller, type ResourceCaller } from './proxy/resource-caller.ts'
import type { Resource } from './resource/resource-states.ts'
import type { TestEnvironment } from './testing/run-resource-tests.ts'

export type ServeOptions = Pick<GatewayOptions, 'scope' | 'isOpen' | 'insiders'> & {
  readonly signer: Signer
  /** Origins inside this machine's network that may be requested. */
  readonly allowed: ReadonlySet<string>
  readonly neighbours: readonly GatewayPeer[]
  /** File of the pool; without it, a restart forgets the pool. */
  readonly file?: string | undefined
  readonly host: string
  readonly port: number
  /** Public address; default: the address of the HTTP server. */
  readonly address?: string | undefined
  /** Reports to the market's server. Resolves with the rules in force. After a rejection, the report is repeated. */
  readonly report: (entries: readonly PoolEntry[]) => Promise<{ readonly rules: readonly Rule[] }>
  /** The market on which resources are listed by proxy agents; without it, none is. */
  readonly market?: Pick<ProxyAgentsOptions, 'seed' | 'hubUrl' | 'openAtMarket'> | undefined
  readonly now: () => number
  readonly warn: (error: unknown) => void
}

export type RunningGateway = {
  readonly gateway: Gateway
  readonly address: string
  /** One round of the periodic work: reports, rules, tests, peers. */
  tick(): Promise<void>
  close(): Promise<void>
}

export const tickMs = 1_000
const learnEveryMs = 60_000
const maxEntriesPerReport = 50
const maxUnreported = 10_000
const maxSprungTraps = 10_000
const bounds = { ms: 10_000, bytes: 1_048_576 }
/** A peer's list of admissions may be large. */
const peerBounds = { ms: 10_000, bytes: 16_777_216 }
const random = () => crypto.getRandomValues(new Uint8Array(16)).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')

type State = {
  readonly options: ServeOptions
  readonly gateway: Gateway
  readonly caller: ResourceCaller
  readonly proxies: ProxyAgents | undefined
  /** Salts of traps that a tested resource has requested. */
  readonly sprung: Set<string>
  /** The last entry of each resource that the market's server has not received. */
  readonly unreported: Map<string, PoolEntry>
  rules: readonly Rule[]
  /** Whether the pool differs from its file. */
  isDirty: boolean
  learntAt: number
  address: string
  ticking: Promise<void> | null
  /** Writes of the file of proxies, in sequence. */
  writing: Promise<void>
}

/** Starts the HTTP server and the periodic work. @throws if the port is taken or a file cannot be read */
export async function serveGateway(options: ServeOptions): Promise<RunningGateway> {
  const state = createState(options)
  const { file, host, port } = options
  if (file) state.gateway.restore(await readList<Resource>(file))
  if (file) state.proxies?.restore(await readList<string>(proxiesFile(file)))
  const server = createServer(state)
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(port, host, ready))
  state.address = options.address ?? `http://${host}:${(server.address() as AddressInfo).port}`
  const clock = setInterval(() => tickOnce(state), tickMs)
  await tickOnce(state)
  return {
    gateway: state.gateway,
    address: state.address,
    tick: () => tickOnce(state),
    async close() {
      clearInterval(clock)
      await state.ticking
      state.proxies?.close()
      await state.writing
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

const proxiesFile = (file: string) => `${file}.proxies`

function createState(options: ServeOptions): State {
  const { signer, scope, isOpen, insiders, allowed, market, now, warn } = options
  const range: TestEnvironment = {
    ...{ policy: { allowed }, bounds, totalMs: 60_000, maxRequests: 120, now, random },
    trap: { address: (salt) => `${state.address}/trap/${salt}`, sprung: (salt) => state.sprung.has(salt) },
  }
  const gateway = createGateway({
    ...{ signer, scope, isOpen, insiders, range, rules: () => state.rules },
    onChange: (change) => recordChange(state, change),
  })
  const caller = createResourceCaller(gateway, () => state.rules, range)
  const onWanted = (resources: readonly string[]) => writeProxies(state, resources)
  const proxies = market && createProxyAgents({ ...market, gateway, use: caller.callAsProxy, now, warn, onWanted })
  const state: State = {
    ...{ options, gateway, caller, proxies, sprung: new Set(), unreported: new Map(), rules: [], isDirty: false },
    ...{ learntAt: Number.NEGATIVE_INFINITY, address: '', ticking: null, writing: Promise.resolve() },
  }
  return state
}

function createServer(state: State): Server {
  const { gateway, caller, options } = state
  return createGatewayServer({
    ...{ gateway, now: options.now },
    onTrap: (salt) => {
      state.sprung.add(salt)
      evictOldest(state.sprung, maxSprungTraps)
    },
    proxy: (ticket, by) => openProxy(state, ticket, by),
    use: (ticket, by, skill, input) => caller.callByTicket(ticket, by, skill, input) as Promise<{ answer: Json } | { fault: string }>,
  })
}

async function openProxy(state: State, ticket: string, by: string) {
  if (!state.proxies) return { fault: 'This gateway publishes no listings.' }
  const redeemed = state.gateway.redeem(ticket, by)
  if ('fault' in redeemed) return redeemed
  // The market accepts a proxy only of a resource that was reported.
  await reportChanges(state)
  return state.proxies.open(redeemed.card.resource)
}

function recordChange(state: State, change: PoolChange): void {
  const entry = toPoolEntry(change)
  // Only the last entry of a resource counts. A refused registration does not replace the entry of the admitted resource.
  state.unreported.set(`${entry.state === 'refused' ? 'refused ' : ''}${entry.resource}`, entry)
  evictOldest(state.unreported, maxUnreported)
  state.isDirty = true
}

function writeProxies(state: State, resources: readonly string[]): void {
  const { file, warn } = state.options
  if (file) state.writing = state.writing.then(() => writeList(proxiesFile(file), resources)).catch(warn)
}

async function reportChanges(state: State): Promise<void> {
  do {
    const batch = [...state.unreported].slice(0, maxEntriesPerReport)
    const { rules } = await state.options.report(batch.map(([, entry]) => entry))
    state.rules = rules
    for (const [key, entry] of batch) if (state.unreported.get(key) === entry) state.unreported.delete(key)
  } while (state.unreported.size > 0)
}

/** Reads the admissions of all peers, at most once a minute. */
async function learnFromPeers(state: State): Promise<void> {
  const { allowed, neighbours, now, warn } = state.options
  if (now() < state.learntAt + learnEveryMs) return
  state.learntAt = now()
  for (const peer of neighbours) {
    try {
      const url = `${peer.at.replace(/\/$/, '')}/admissions`
      const response = await boundedFetch(url, { policy: { allowed }, bounds: peerBounds })
      const { admissions } = parseStrict(response.text, { keys: 1_000 }) as { admissions?: unknown }
      await state.gateway.learn(peer, Array.isArray(admissions) ? admissions : [])
    } catch (error) {
      // The admissions read before count until they expire.
      warn(error)
    }
  }
}

/** Starts a round, or returns the one that is running. */
function tickOnce(state: State): Promise<void> {
  state.ticking ??= tick(state)
    .catch(state.options.warn)
    .finally(() => {
      state.ticking = null
    })
  return state.ticking
}

async function tick(state: State): Promise<void> {
  const { gateway, proxies, options } = state
  await reportChanges(state).catch(options.warn)
  gateway.enforce()
  proxies?.sweep()
  await gateway.retest()
  await learnFromPeers(state)
  if (state.unreported.size > 0) await reportChanges(state).catch(options.warn)
  if (options.file && state.isDirty) {
    state.isDirty = false
    await writeList(options.file, gateway.list())
  }
}

async function readList<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8').catch(() => null)
  // Only this program writes the file, and always a complete one.
  return text === null ? [] : (JSON.parse(text) as T[])
}

/** Writes to a temporary file and renames it, so that a crash cannot leave a partial file. */
async function writeList(file: string, list: readonly unknown[]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, JSON.stringify(list), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
