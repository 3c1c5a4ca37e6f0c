/**
 * Finds resources for a planner: in its own pool first, then at the gateways it knows, best ranked first. An unreachable gateway is
 * skipped. A gateway's statement counts only while its signature is valid and it has not expired.
 */
import {
  type Admission,
  gatewayRequestBytes,
  type Json,
  parseStrict,
  type ResourceQuery,
  readAdmission,
  readReferral,
  type Signer,
} from '@parley/protocol'
import { evictOldest } from '../evict-oldest.ts'
import type { AddressPolicy } from '../net/address-policy.ts'
import { boundedFetch, type FetchLimits } from '../net/bounded-fetch.ts'
import type { GatewayPeer, SignedRecord } from '../pool/referrals.ts'
import { rankGateways, recordGatewayOutcome, type StatsByGateway } from './rank-gateways.ts'

/** A resource that can be used, and the gateway that offers it. `ticket`: null for an own resource. */
export type ResourceOffer = { readonly admission: Admission; readonly gateway: GatewayPeer; readonly ticket: string | null }

export type ResourceFinderOptions = {
  readonly signer: Signer
  readonly gateways: readonly GatewayPeer[]
  /** Searches own resources, before any gateway. */
  readonly local: (query: ResourceQuery) => readonly ResourceOffer[]
  readonly policy: AddressPolicy
  readonly bounds: FetchLimits
  readonly now: () => number
}

export type ResourceFinder = {
  /** The offers, and the DIDs of the gateways asked, in order. Both may be empty. Never rejects because a gateway is unreachable. */
  find(query: ResourceQuery): Promise<FindResult>
  /** Redeems the ticket for the resource's endpoint. */
  connect(offer: ResourceOffer): Promise<Json>
  /** Calls the resource through its gateway. */
  use(offer: ResourceOffer, skill: string, input: Json): Promise<Json>
  /** Lists the best resource that fits on the market, through the first gateway that can. Null if there is none. */
  openFirst(query: ResourceQuery, fits: (offer: ResourceOffer) => boolean): Promise<OpenedProxy | null>
  /** Lists this resource on the market through its gateway. Null if that fails, or the ticket was used before. */
  open(offer: ResourceOffer): Promise<OpenedProxy | null>
  readonly stats: StatsByGateway
}

export type FindResult = { readonly offers: readonly ResourceOffer[]; readonly asked: readonly string[] }

/** The agent that a gateway has listed for a resource, and the signed offer. */
export type OpenedProxy = { readonly agent_id: string; readonly offer: ResourceOffer }

/** Shorter than the life of a ticket, which is ten minutes. */
const cacheMs = 60_000
const maxCached = 500
const maxUsedTickets = 10_000
/** Entries of one response that are read. */
const maxListed = 50
/** Further gateways asked for one query because of referrals. */
const maxReferred = 3
/** Offers of one gateway tried for one query. */
const maxTried = 3

type Fields = { readonly [field: string]: Json }
type GatewayResponse = { readonly offers: readonly ResourceOffer[]; readonly referred: readonly GatewayPeer[] }

type State = {
  readonly options: ResourceFinderOptions
  /** By DID. */
  readonly gateways: ReadonlyMap<string, GatewayPeer>
  /** By query. */
  readonly cache: Map<string, { readonly at: number; readonly offers: readonly ResourceOffer[] }>
  readonly usedTickets: Set<string>
  stats: StatsByGateway
}

export function createResourceFinder(options: ResourceFinderOptions): ResourceFinder {
  const gateways = new Map(options.gateways.map((one) => [one.did, one]))
  const state: State = { options, gateways, cache: new Map(), usedTickets: new Set(), stats: new Map() }
  return {
    find: (query) => find(state, query),
    openFirst: (query, fits) => openFirst(state, query, fits),
    open: (offer) => openAny(state, offer.gateway, [offer]),
    connect: (offer) => redeem(state, offer, 'connect', {}),
    use: (offer, skill, input) => redeem(state, offer, 'invoke', { skill, input }),
    get stats() {
      return state.stats
    },
  }
}

/** Gateways to ask now, best first. */
const rankedGateways = ({ gateways, stats, options }: State): GatewayPeer[] =>
  rankGateways([...gateways.keys()], stats, options.now()).map((did) => gateways.get(did) as GatewayPeer)

/** Sends a signed request to a gateway. */
async function ask({ options }: State, gateway: GatewayPeer, path: string, question: Fields): Promise<SignedRecord> {
  const { signer, policy, bounds, now } = options
  const at = new Date(now()).toISOString()
  const sig = await signer.sign(gatewayRequestBytes({ gateway: gateway.did, by: signer.did, at, params: question }))
  const body = JSON.stringify({ by: signer.did, at, params: question, sig })
  const response = await boundedFetch(`${gateway.at.replace(/\/$/, '')}/${path}`, {
    ...{ policy, bounds, method: 'POST', body, headers: { 'content-type': 'application/json' } },
  })
  const value = parseStrict(response.text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError('The gateway did not answer with an object.')
  return value
}

/** The valid offers and referrals of one gateway. */
async function findAt(state: State, gateway: GatewayPeer, query: ResourceQuery): Promise<GatewayResponse> {
  const { now } = state.options
  const response = await ask(state, gateway, 'find', query as Fields)
  const offers: ResourceOffer[] = []
  for (const one of recordsIn(response.found)) {
    const read = await readAdmission(one.admission, gateway.did, now())
    if (read.fault === null) offers.push({ admission: read.value, gateway, ticket: String(one.ticket) })
  }
  const referred: GatewayPeer[] = []
  for (const one of recordsIn(response.referrals)) {
    const read = await readReferral(one, gateway.did, now())
    if (read.fault === null) referred.push({ did: read.value.referral.to, at: read.value.referral.at })
  }
  return { offers, referred }
}

/** As `findAt`. Records the outcome; an unreachable gateway, or one with an invalid response, returns nothing. */
async function tryFindAt(state: State, gateway: GatewayPeer, query: ResourceQuery): Promise<GatewayResponse> {
  const { now } = state.options
  try {
    const response = await findAt(state, gateway, query)
    state.stats = recordGatewayOutcome(state.stats, gateway.did, response.offers.length > 0 ? 'useful' : 'useless', now())
    return response
  } catch {
    state.stats = recordGatewayOutcome(state.stats, gateway.did, 'gone', now())
    return { offers: [], referred: [] }
  }
}

async function find(state: State, query: ResourceQuery): Promise<FindResult> {
  const { local, now } = state.options
  const own = local(query)
  if (own.length > 0) return { offers: own, asked: [] }
  const key = JSON.stringify(query)
  const cached = state.cache.get(key)
  const isFresh = cached && cached.at + cacheMs > now()
  // A ticket is valid once.
  const unused = isFresh ? cached.offers.filter(({ ticket }) => ticket === null || !state.usedTickets.has(ticket)) : []
  if (unused.length > 0) return { offers: unused, asked: [] }
  const found = await findAtGateways(state, query)
  if (found.offers.length > 0) state.cache.set(key, { at: now(), offers: found.offers })
  evictOldest(state.cache, maxCached)
  return found
}

/** Asks the known gateways, then those that they refer to, until one has an offer. */
async function findAtGateways(state: State, query: ResourceQuery): Promise<FindResult> {
  const asked: string[] = []
  const referred: GatewayPeer[] = []
  for (const gateway of rankedGateways(state)) {
    asked.push(gateway.did)
    const response = await tryFindAt(state, gateway, query)
    if (response.offers.length > 0) return { offers: response.offers, asked }
    referred.push(...response.referred)
  }
  const further = [...new Map(referred.map((one) => [one.did, one])).values()].filter(({ did }) => !asked.includes(did))
  for (const gateway of further.slice(0, maxReferred)) {
    asked.push(gateway.did)
    const response = await tryFindAt(state, gateway, query)
    if (response.offers.length > 0) return { offers: response.offers, asked }
  }
  return { offers: [], asked }
}

async function redeem(state: State, { gateway, ticket }: ResourceOffer, path: string, fields: Fields): Promise<Json> {
  if (ticket !== null) state.usedTickets.add(ticket)
  evictOldest(state.usedTickets, maxUsedTickets)
  return (await ask(state, gateway, path, { ticket, ...fields })) as Json
}

async function openFirst(state: State, query: ResourceQuery, fits: (offer: ResourceOffer) => boolean): Promise<OpenedProxy | null> {
  const toAsk = rankedGateways(state)
  const asked = new Set<string>()
  for (const gateway of toAsk) {
    if (asked.has(gateway.did) || asked.size >= state.gateways.size + maxReferred) continue
    asked.add(gateway.did)
    const { offers, referred } = await tryFindAt(state, gateway, query)
    // Referred gateways come after all known ones.
    toAsk.push(...referred.slice(0, maxReferred))
    const opened = await openAny(state, gateway, offers.filter(fits).slice(0, maxTried))
    if (opened) return opened
  }
  return null
}

/** Lists the first of one gateway's offers that it can. Stops if the gateway is unreachable. */
async function openAny(state: State, gateway: GatewayPeer, offers: readonly ResourceOffer[]): Promise<OpenedProxy | null> {
  for (const offer of offers) {
    try {
      const response = (await redeem(state, offer, 'proxy', {})) as { agent_id?: unknown }
      if (typeof response.agent_id === 'string') return { agent_id: response.agent_id, offer }
    } catch {
      state.stats = recordGatewayOutcome(state.stats, gateway.did, 'gone', state.options.now())
      return null
    }
  }
  return null
}

function recordsIn(value: Json | undefined): SignedRecord[] {
  const isRecord = (one: Json): one is { [key: string]: Json } => typeof one === 'object' && one !== null && !Array.isArray(one)
  return Array.isArray(value) ? value.filter(isRecord).slice(0, maxListed) : []
}
