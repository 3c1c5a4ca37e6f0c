/**
 * How whoever plans gets at resources: its own pool first, then the gateways it knows, the one with the best yield first, and
 * the next where one is gone. What a gateway says is believed only as far as its signature and its expiry hold.
 */
import {
  type Admission,
  askBytes,
  type Json,
  parseStrict,
  type ResourceQuery,
  readAdmission,
  readReferral,
  type Signer,
} from '@parley/protocol'
import type { AddressPolicy } from '../net/address-policy.ts'
import { boundedFetch, type FetchLimits } from '../net/bounded-fetch.ts'
import type { GatewayPeer, SignedRecord } from '../pool/referrals.ts'
import { rankGateways, recordOutcome, type StatsByGateway } from './gateway-ranking.ts'

/** A resource that can be used, and where to get at it: one's own need no ticket. */
export type ResourceOffer = { readonly admission: Admission; readonly gateway: GatewayPeer; readonly ticket: string | null }

export type FinderOptions = {
  readonly signer: Signer
  readonly gateways: readonly GatewayPeer[]
  /** Resources of one's own, asked before any gateway. */
  readonly local: (query: ResourceQuery) => readonly ResourceOffer[]
  readonly policy: AddressPolicy
  readonly bounds: FetchLimits
  readonly now: () => number
}

export type Finder = {
  /** @returns what was found, and in which order gateways were asked. Nothing found and nobody there: both are empty or in vain. */
  find(query: ResourceQuery): Promise<{ readonly offers: readonly ResourceOffer[]; readonly asked: readonly string[] }>
  connect(offer: ResourceOffer): Promise<Json>
  use(offer: ResourceOffer, skill: string, input: Json): Promise<Json>
  /**
   * Has a resource that fits put on offer at the market by its gateway, the best first; where a gateway is silent, the next one
   * is asked. Null: nobody has one that can be had.
   */
  openFirst(query: ResourceQuery, fits: (offer: ResourceOffer) => boolean): Promise<OpenedProxy | null>
  /** Has this one put on offer at the market by its gateway. Null: it can't be had, or its ticket is used up. */
  open(offer: ResourceOffer): Promise<OpenedProxy | null>
  readonly stats: StatsByGateway
}

/** What a gateway says that it has put on offer, and what it has signed of it. */
export type OpenedProxy = { readonly agent_id: string; readonly offer: ResourceOffer }

/** An offer is found again without asking while its ticket is good; a ticket is good for ten minutes. */
const cachedMs = 60_000
const maxCached = 500
const maxSpent = 10_000
const maxListed = 50
/** Of one question: referrals lead to so many further gateways. */
const maxReferred = 3
/** Of one gateway: resources that are asked for one wish. */
const maxTried = 3

export function createFinder(options: FinderOptions): Finder {
  const { signer, gateways, local, policy, bounds, now } = options
  const cache = new Map<string, { readonly at: number; readonly offers: readonly ResourceOffer[] }>()
  const spent = new Set<string>()
  let yields: StatsByGateway = new Map()
  const known = new Map(gateways.map((one) => [one.did, one]))

  async function ask(gateway: GatewayPeer, way: string, question: { readonly [field: string]: Json }): Promise<SignedRecord> {
    const at = new Date(now()).toISOString()
    const sig = await signer.sign(askBytes({ gateway: gateway.did, by: signer.did, at, ask: question }))
    const body = JSON.stringify({ by: signer.did, at, ask: question, sig })
    const asked = await boundedFetch(`${gateway.at.replace(/\/$/, '')}/${way}`, {
      ...{ policy, bounds, method: 'POST', body, headers: { 'content-type': 'application/json' } },
    })
    const said = parseStrict(asked.text)
    if (typeof said !== 'object' || said === null || Array.isArray(said)) throw new RangeError('It answers with no object.')
    return said
  }

  /** What one gateway has, and whom it refers to. */
  async function findAt(gateway: GatewayPeer, query: ResourceQuery): Promise<{ offers: ResourceOffer[]; referred: GatewayPeer[] }> {
    const said = await ask(gateway, 'find', query as { [field: string]: Json })
    const offers: ResourceOffer[] = []
    for (const one of listOf(said.found)) {
      const read = await readAdmission(one.admission, gateway.did, now())
      if (read.fault === null) offers.push({ admission: read.value, gateway, ticket: String(one.ticket) })
    }
    const referred: GatewayPeer[] = []
    for (const one of listOf(said.referrals)) {
      const read = await readReferral(one, gateway.did, now())
      if (read.fault === null) referred.push({ did: read.value.referral.to, at: read.value.referral.at })
    }
    return { offers, referred }
  }

  async function attempt(gateway: GatewayPeer, query: ResourceQuery): Promise<{ offers: ResourceOffer[]; referred: GatewayPeer[] }> {
    try {
      const found = await findAt(gateway, query)
      yields = recordOutcome(yields, gateway.did, found.offers.length > 0 ? 'useful' : 'useless', now())
      return found
    } catch {
      // Gone, slow, or speaking nonsense: the next one is asked, and this one rests.
      yields = recordOutcome(yields, gateway.did, 'gone', now())
      return { offers: [], referred: [] }
    }
  }

  async function throughGateways(query: ResourceQuery): Promise<{ offers: ResourceOffer[]; asked: string[] }> {
    const asked: string[] = []
    const referred: GatewayPeer[] = []
    for (const did of rankGateways([...known.keys()], yields, now())) {
      asked.push(did)
      const found = await attempt(known.get(did) as GatewayPeer, query)
      if (found.offers.length > 0) return { offers: found.offers, asked }
      referred.push(...found.referred)
    }
    const further = [...new Map(referred.map((one) => [one.did, one])).values()].filter(({ did }) => !asked.includes(did))
    for (const gateway of further.slice(0, maxReferred)) {
      asked.push(gateway.did)
      const found = await attempt(gateway, query)
      if (found.offers.length > 0) return { offers: found.offers, asked }
    }
    return { offers: [], asked }
  }

  async function redeem({ gateway, ticket }: ResourceOffer, way: string, more: { readonly [field: string]: Json }): Promise<Json> {
    if (ticket !== null) spent.add(ticket)
    for (const oldest of spent) {
      if (spent.size <= maxSpent) break
      spent.delete(oldest)
    }
    return (await ask(gateway, way, { ticket, ...more })) as Json
  }

  async function find(query: ResourceQuery): Promise<{ readonly offers: readonly ResourceOffer[]; readonly asked: readonly string[] }> {
    const own = local(query)
    if (own.length > 0) return { offers: own, asked: [] }
    const key = JSON.stringify(query)
    const before = cache.get(key)
    // A ticket is good once: what was used is no longer at hand.
    const left = before && before.at + cachedMs > now() ? before.offers.filter(({ ticket }) => ticket === null || !spent.has(ticket)) : []
    if (left.length > 0) return { offers: left, asked: [] }
    const found = await throughGateways(query)
    if (found.offers.length > 0) cache.set(key, { at: now(), offers: found.offers })
    for (const oldest of cache.keys()) {
      if (cache.size <= maxCached) break
      cache.delete(oldest)
    }
    return found
  }

  async function hire(query: ResourceQuery, fits: (offer: ResourceOffer) => boolean): Promise<OpenedProxy | null> {
    const toAsk = rankGateways([...known.keys()], yields, now()).map((did) => known.get(did) as GatewayPeer)
    const asked = new Set<string>()
    for (const gateway of toAsk) {
      if (asked.has(gateway.did) || asked.size >= known.size + maxReferred) continue
      asked.add(gateway.did)
      const { offers, referred } = await attempt(gateway, query)
      // Whom it refers to comes after all that are known.
      toAsk.push(...referred.slice(0, maxReferred))
      const hired = await hireOf(gateway, offers.filter(fits).slice(0, maxTried))
      if (hired) return hired
    }
    return null
  }

  /** The first of one gateway's offers that it puts on the market. One that has fallen silent is left alone for a while. */
  async function hireOf(gateway: GatewayPeer, offers: readonly ResourceOffer[]): Promise<OpenedProxy | null> {
    for (const offer of offers) {
      try {
        const said = (await redeem(offer, 'front', {})) as { agent_id?: unknown }
        if (typeof said.agent_id === 'string') return { agent_id: said.agent_id, offer }
      } catch {
        yields = recordOutcome(yields, gateway.did, 'gone', now())
        return null
      }
    }
    return null
  }

  return {
    find,
    openFirst: hire,
    open: (offer) => hireOf(offer.gateway, [offer]),
    connect: (offer) => redeem(offer, 'connect', {}),
    use: (offer, skill, input) => redeem(offer, 'use', { skill, input }),
    get stats() {
      return yields
    },
  }
}

function listOf(value: Json | undefined): SignedRecord[] {
  const isRecord = (one: Json): one is { [key: string]: Json } => typeof one === 'object' && one !== null && !Array.isArray(one)
  return Array.isArray(value) ? value.filter(isRecord).slice(0, maxListed) : []
}
