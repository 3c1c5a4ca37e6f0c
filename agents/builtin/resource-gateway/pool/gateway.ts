/** A gateway: takes resources in once they are tested, keeps testing them, finds them for others, and uses them on their behalf. */
import {
  type Json,
  maxAdmissionLifeMs,
  type ResourceCard,
  type ResourceQuery,
  type Rule,
  readCard,
  type Signer,
  signAdmission,
} from '@parley/protocol'
import { findUrlError } from '../net/address-policy.ts'
import { type AdmissionScope, findBlockingRule, findScopeError, toPolicyRequest } from '../resource/admission-policy.ts'
import { admissionLifeMs, advanceResource, isAvailable, type Resource, type TestResult } from '../resource/resource.ts'
import { checkKeyControl, type TestEnvironment, testResource } from '../testing/run-tests.ts'
import { createReferrals, type GatewayPeer, type Referrals, type SignedRecord } from './referrals.ts'
import { createPoolIndex } from './search-index.ts'
import { createTickets, type Ticket } from './tickets.ts'

/** What has become of a resource, for the record. `refused`: it never came in. */
export type PoolChange =
  | { readonly resource: Resource; readonly was: Resource['state'] | null }
  | { readonly refused: ResourceCard; readonly reason: string }

export type GatewayOptions = {
  readonly signer: Signer
  readonly scope: AdmissionScope
  /** Whether anybody may ask for a ticket to its public pool. */
  readonly isOpen: boolean
  /** Who finds what is in its private pool: their DIDs. */
  readonly insiders: ReadonlySet<string>
  readonly range: TestEnvironment
  readonly rules: () => readonly Rule[]
  readonly onChange: (change: PoolChange) => void
}

export type FoundResource = { readonly admission: SignedRecord; readonly ticket: string; readonly rank: number }
export type Refusal = { readonly fault: string }
export type Connection = Pick<ResourceCard, 'resource' | 'endpoint' | 'speaks' | 'names'> & { readonly fingerprint: string }

export type Gateway = {
  readonly did: string
  readonly scope: AdmissionScope
  /** By whoever runs it; for anybody where it is open. */
  issueTicket(resource: string, pool?: Ticket['pool']): string
  askTicket(resource: string): { readonly ticket: string } | Refusal
  register(received: unknown, ticket: string): Promise<{ readonly resource: Resource } | Refusal>
  /** Tests everything whose time has come; resolves to how many. */
  retest(): Promise<number>
  find(query: ResourceQuery, by: string): Promise<{ readonly found: FoundResource[]; readonly referrals: SignedRecord[] }>
  connect(ticket: string, by: string): Connection | Refusal
  /** The resource behind a ticket, and its card, for whoever carries out a call. The ticket is used up. */
  redeem(ticket: string, by: string): { readonly card: ResourceCard } | Refusal
  /** A resource of the public pool for the gateway's own agent in front of it, whose DID is `by`, under the same rules. */
  grant(resource: string, by: string): { readonly card: ResourceCard } | Refusal
  /** The public pool's admissions, for other gateways to refer to. */
  admissions(): SignedRecord[]
  learn(neighbour: GatewayPeer, received: readonly unknown[]): Promise<number>
  /** Throws out at once what a rule has come to deny. */
  enforce(): void
  list(): Resource[]
  restore(resources: readonly Resource[]): void
}

const ticketLifeMs = 600_000
const maxTesting = 4
const maxWaiting = 200
export const maxResources = 100_000

export function createGateway(options: GatewayOptions): Gateway {
  const { signer, scope, isOpen, insiders, range, rules, onChange } = options
  const { now, random } = range
  const pool = new Map<string, Resource>()
  const index = createPoolIndex()
  const tickets = createTickets(now, random)
  const referrals: Referrals = createReferrals(signer, now)
  const queue: (() => void)[] = []
  let testing = 0

  function keep(resource: Resource, was: Resource['state'] | null): void {
    pool.set(resource.id, resource)
    if (resource.state === 'admitted' || resource.state === 'demoted') index.put(resource)
    else index.drop(resource.id)
    onChange({ resource, was })
  }

  /** So many tests at a time; who comes after waits, and is sent away where too many wait. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T | Refusal> {
    if (testing >= maxTesting) {
      if (queue.length >= maxWaiting) return { fault: 'Too many resources wait to be tested; try again later.' }
      await new Promise<void>((go) => queue.push(go))
    }
    testing++
    try {
      return await work()
    } finally {
      testing--
      queue.shift()?.()
    }
  }

  async function admitted(resource: Resource): Promise<Resource> {
    const { card, fingerprint, checks, testedAt } = resource
    const { v, kind, name, summary, version, operator, skills, topics, region } = card
    const issued = now()
    const admission = await signAdmission(signer, {
      ...{ v, resource: card.resource, kind, name, summary, version, operator, skills, topics, fingerprint, checks },
      ...(region !== undefined && { region }),
      tested_at: new Date(testedAt).toISOString(),
      issued_at: new Date(issued).toISOString(),
      expires_at: new Date(issued + Math.min(admissionLifeMs, maxAdmissionLifeMs)).toISOString(),
    })
    return { ...resource, admission: admission as unknown as SignedRecord }
  }

  function firstFault(card: ResourceCard): string | null {
    const isKnown = pool.has(card.resource)
    if (!isKnown && pool.size >= maxResources) return `This gateway is full, with ${maxResources} resources.`
    const mute = card.skills.find((skill) => skill.samples.length === 0)
    if (mute) return `The skill ${mute.id} has no sample to be tested by.`
    return (
      findScopeError(scope, card) ??
      findBlockingRule(rules(), toPolicyRequest('admit', card), now())?.sentence ??
      findUrlError(card.endpoint, range.policy)
    )
  }

  async function register(received: unknown, secret: string): Promise<{ resource: Resource } | Refusal> {
    const read = await readCard(received, now())
    if (read.fault !== null) return { fault: `The card is not taken. ${read.fault}` }
    const card = read.value
    const refuse = (reason: string): Refusal => {
      onChange({ refused: card, reason })
      return { fault: reason }
    }
    const held = tickets.take(secret, 'register', card.resource)
    if ('fault' in held) return refuse(held.fault)
    const fault = firstFault(card)
    if (fault !== null) {
      held.giveBack()
      return refuse(fault)
    }
    let isIn = false
    try {
      const tested = await inTurn(async () => {
        const uncontrolled = await checkKeyControl(card, signer.did, range)
        return uncontrolled === null ? testResource(card, null, range) : ({ kind: 'failed', reason: uncontrolled, grave: false } as const)
      })
      if ('fault' in tested) return refuse(tested.fault)
      if (tested.kind !== 'passed') return refuse(tested.reason)
      const known = pool.get(card.resource)
      const fresh: Resource = {
        ...{ id: card.resource, card, pool: held.ticket.pool, state: 'testing', reason: '', described: null, fingerprint: '', failures: 0 },
        ...{ checks: 0, registeredAt: now(), testedAt: 0, nextTestAt: now(), admission: null },
      }
      const resource = await admitted(advanceResource(fresh, tested, now()))
      keep(resource, known?.state ?? null)
      isIn = true
      return { resource }
    } finally {
      if (!isIn) held.giveBack()
    }
  }

  async function test(id: string): Promise<void> {
    const before = pool.get(id)
    if (!before || before.state === 'evicted') return
    const stop = findBlockingRule(rules(), toPolicyRequest('admit', before.card), now())
    const finding: TestResult = stop ? { kind: 'denied', reason: stop.sentence } : await testResource(before.card, before.described, range)
    let after = advanceResource(before, finding, now())
    // Registered anew meanwhile: what was found is about another card.
    if (pool.get(id) !== before) return
    if (after.state !== 'drifted') return keep(after.state === 'admitted' ? await admitted(after) : after, before.state)
    keep(after, before.state)
    const again = await testResource(after.card, null, range)
    if (pool.get(id) !== after) return
    const retested = advanceResource(after, again, now())
    const told = { ...retested, reason: `${retested.reason} It had changed: ${after.reason}` }
    after = told.state === 'admitted' ? await admitted(told) : told
    keep(after, 'drifted')
  }

  const sees = (by: string, point: 'retrieve' | 'execute') => (resource: Resource) =>
    isAvailable(resource, now()) &&
    (resource.pool === 'public' || insiders.has(by)) &&
    findBlockingRule(rules(), toPolicyRequest(point, resource.card, by), now()) === null

  function redeem(secret: string, by: string): { card: ResourceCard; resource: Resource } | Refusal {
    const held = tickets.take(secret, 'connect', by)
    if ('fault' in held) return held
    const lent = lend(held.ticket.resource, by)
    if ('fault' in lent) held.giveBack()
    return lent
  }

  function lend(id: string, by: string): { card: ResourceCard; resource: Resource } | Refusal {
    const resource = pool.get(id)
    if (!resource) return { fault: 'It is not in this pool any more.' }
    const stop = findBlockingRule(rules(), toPolicyRequest('execute', resource.card, by), now())
    if (!stop && isAvailable(resource, now())) return { card: resource.card, resource }
    return { fault: stop?.sentence ?? `It is not handed out now: ${resource.reason}` }
  }

  return {
    did: signer.did,
    scope,
    issueTicket: (resource, into = 'public') =>
      tickets.issue({ purpose: 'register', holder: resource, resource, pool: into, expiresAt: now() + ticketLifeMs }),
    askTicket(resource) {
      if (!isOpen) return { fault: 'This gateway gives tickets by its operator only.' }
      return { ticket: tickets.issue({ purpose: 'register', holder: resource, resource, pool: 'public', expiresAt: now() + ticketLifeMs }) }
    },
    register,
    async retest() {
      const due = [...pool.values()].filter((one) => one.state !== 'evicted' && one.nextTestAt <= now())
      await Promise.all(due.map(({ id }) => inTurn(() => test(id))))
      return due.length
    },
    async find(query, by) {
      const found = index.find(query, sees(by, 'retrieve')).map(({ resource, rank }) => ({
        admission: resource.admission as SignedRecord,
        ticket: tickets.issue({
          purpose: 'connect',
          holder: by,
          resource: resource.id,
          pool: resource.pool,
          expiresAt: now() + ticketLifeMs,
        }),
        rank,
      }))
      const missing = query.limit - found.length
      const known = new Set(found.map(({ admission }) => String(admission.resource)))
      const isFree = (resource: string) => !known.has(resource) && pool.get(resource)?.state !== 'evicted'
      return { found, referrals: missing > 0 ? await referrals.find({ ...query, limit: missing }, isFree, rules()) : [] }
    },
    connect(secret, by) {
      const redeemed = redeem(secret, by)
      if ('fault' in redeemed) return redeemed
      const { resource, endpoint, speaks, names } = redeemed.card
      return { resource, endpoint, speaks, names, fingerprint: redeemed.resource.fingerprint }
    },
    redeem,
    grant: (id, by) => (pool.get(id)?.pool === 'public' ? lend(id, by) : { fault: 'It is not in the public pool.' }),
    admissions: () =>
      [...pool.values()]
        .filter((one) => one.pool === 'public' && isAvailable(one, now()))
        .map((one) => one.admission as { [field: string]: Json }),
    learn: (neighbour, received) => referrals.learn(neighbour, received),
    enforce() {
      for (const resource of pool.values()) {
        if (resource.state === 'evicted') continue
        const stop = findBlockingRule(rules(), toPolicyRequest('admit', resource.card), now())
        if (stop?.decision.effect === 'deny')
          keep(advanceResource(resource, { kind: 'denied', reason: stop.sentence }, now()), resource.state)
      }
    },
    list: () => [...pool.values()],
    restore(resources) {
      for (const resource of resources) {
        pool.set(resource.id, resource)
        if (resource.state === 'admitted' || resource.state === 'demoted') index.put(resource)
      }
    },
  }
}
