/** A gateway that runs: its door, its clock, its file, and its word to the market's server about what stands in its pool. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { type Json, type PoolEntry, parseStrict, type Rule, type Signer } from '@parley/protocol'
import { createHttpServer } from './http-server.ts'
import { boundedFetch } from './net/bounded-fetch.ts'
import { createGateway, type Gateway, type GatewayOptions } from './pool/gateway.ts'
import { toPoolEntry } from './pool/pool-entries.ts'
import type { GatewayPeer } from './pool/referrals.ts'
import { createResourceCaller } from './proxy/call-resource.ts'
import { createProxyAgents, type ProxyAgentsOptions } from './proxy/proxy-agents.ts'
import type { Resource } from './resource/resource.ts'
import type { TestEnvironment } from './testing/run-tests.ts'

export type ServeOptions = Pick<GatewayOptions, 'scope' | 'isOpen' | 'insiders'> & {
  readonly signer: Signer
  /** Origins that may be asked though they lie inside this machine's network. */
  readonly allowed: ReadonlySet<string>
  readonly neighbours: readonly GatewayPeer[]
  /** Where the pool is kept over restarts; nowhere where it is left out. */
  readonly file?: string | undefined
  readonly host: string
  readonly port: number
  /** As others reach the door; where it is left out, the door's own address. */
  readonly address?: string | undefined
  /** Tells the market's server, and hears the rules in force. Rejects while it is away: it is told again. */
  readonly report: (entries: readonly PoolEntry[]) => Promise<{ readonly rules: readonly Rule[] }>
  /** At which market resources get a front; nowhere where it is left out. */
  readonly market?: Pick<ProxyAgentsOptions, 'seed' | 'hubUrl' | 'openAtMarket'> | undefined
  readonly now: () => number
  readonly warn: (error: unknown) => void
}

export type RunningGateway = {
  readonly gateway: Gateway
  readonly address: string
  /** One round of what the clock does: rules, tests, neighbours, reports. */
  tick(): Promise<void>
  close(): Promise<void>
}

export const tickMs = 1_000
const learnEveryMs = 60_000
const maxEntries = 50
const maxReports = 10_000
const bounds = { ms: 10_000, bytes: 1_048_576 }
const random = () => crypto.getRandomValues(new Uint8Array(16)).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')

/** Starts the door and the clock. @throws where the port is taken or the file can't be read */
export async function serveGateway(options: ServeOptions): Promise<RunningGateway> {
  const { signer, allowed, neighbours, file, report, now, warn } = options
  const sprung = new Set<string>()
  const unreported = new Map<string, PoolEntry>()
  let rules: readonly Rule[] = []
  let isDirty = false
  let learntAt = Number.NEGATIVE_INFINITY
  let ticking: Promise<void> | null = null
  let address = ''
  let keeping = Promise.resolve()

  const range: TestEnvironment = {
    ...{ policy: { allowed }, bounds, totalMs: 60_000, maxRequests: 120, now, random },
    trap: { address: (salt) => `${address}/trap/${salt}`, sprung: (salt) => sprung.has(salt) },
  }
  const gateway = createGateway({
    ...{ signer, scope: options.scope, isOpen: options.isOpen, insiders: options.insiders, range, rules: () => rules },
    onChange: (change) => {
      const entry = toPoolEntry(change)
      // The latest word about a resource counts; what was refused does not take the place of where it stands.
      unreported.set(`${entry.state === 'refused' ? 'refused ' : ''}${entry.resource}`, entry)
      for (const oldest of unreported.keys()) {
        if (unreported.size <= maxReports) break
        unreported.delete(oldest)
      }
      isDirty = true
    },
  })
  if (file) gateway.restore(await readList<Resource>(file))
  const use = createResourceCaller(gateway, () => rules, range)
  const frontsFile = file && `${file}.fronts`
  const fronts =
    options.market &&
    createProxyAgents({
      ...{ ...options.market, gateway, use: use.callAsProxy, now, warn },
      onWanted: (resources) => {
        if (frontsFile) keeping = keeping.then(() => keep(frontsFile, resources)).catch(warn)
      },
    })
  if (frontsFile) fronts?.restore(await readList<string>(frontsFile))
  const door = createHttpServer({
    ...{ gateway, now },
    onTrap: (salt) => {
      sprung.add(salt)
      for (const oldest of sprung) {
        if (sprung.size <= maxReports) break
        sprung.delete(oldest)
      }
    },
    front: async (ticket, by) => {
      if (!fronts) return { fault: 'This gateway puts nothing on offer at a market.' }
      const redeemed = gateway.redeem(ticket, by)
      if ('fault' in redeemed) return redeemed
      // What the market has not heard of yet has no front there.
      await tell()
      return fronts.open(redeemed.card.resource)
    },
    use: (ticket, by, skill, input) => use.callByTicket(ticket, by, skill, input) as Promise<{ answer: Json } | { fault: string }>,
  })
  await new Promise<void>((ready, fail) => door.once('error', fail).listen(options.port, options.host, ready))
  address = options.address ?? `http://${options.host}:${(door.address() as AddressInfo).port}`

  async function tell(): Promise<void> {
    do {
      const batch = [...unreported].slice(0, maxEntries)
      ;({ rules } = await report(batch.map(([, entry]) => entry)))
      for (const [key, entry] of batch) if (unreported.get(key) === entry) unreported.delete(key)
    } while (unreported.size > 0)
  }

  async function learn(): Promise<void> {
    if (now() < learntAt + learnEveryMs) return
    learntAt = now()
    for (const neighbour of neighbours) {
      try {
        const asked = await boundedFetch(`${neighbour.at.replace(/\/$/, '')}/admissions`, {
          policy: { allowed },
          bounds: { ms: 10_000, bytes: 16_777_216 },
        })
        const said = parseStrict(asked.text, { keys: 1_000 }) as { admissions?: unknown }
        await gateway.learn(neighbour, Array.isArray(said.admissions) ? said.admissions : [])
      } catch (error) {
        // Its earlier word counts until it expires.
        warn(error)
      }
    }
  }

  async function tick(): Promise<void> {
    await tell().catch(warn)
    gateway.enforce()
    fronts?.sweep()
    await gateway.retest()
    await learn()
    if (unreported.size > 0) await tell().catch(warn)
    if (file && isDirty) {
      isDirty = false
      await keep(file, gateway.list())
    }
  }
  const tickOnce = () => {
    ticking ??= tick()
      .catch(warn)
      .finally(() => {
        ticking = null
      })
    return ticking
  }
  const clock = setInterval(tickOnce, tickMs)
  await tickOnce()
  return {
    gateway,
    address,
    tick: tickOnce,
    async close() {
      clearInterval(clock)
      await ticking
      fronts?.close()
      await keeping
      door.closeAllConnections()
      await new Promise<void>((closed) => door.close(() => closed()))
    },
  }
}

async function readList<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8').catch(() => null)
  // Written by this program alone, and only whole.
  return text === null ? [] : (JSON.parse(text) as T[])
}

async function keep(file: string, list: readonly unknown[]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, JSON.stringify(list), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
