/** The gateway's pool: admits resources after tests, tests them again, finds them for others, and hands them out against tickets. */
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
import { admissionLifeMs, advanceResource, isAvailable, type Resource, type TestResult } from '../resource/resource-states.ts'
import { checkKeyControl, runResourceTests, type TestEnvironment } from '../testing/run-resource-tests.ts'
import { createOneTimeTickets, type OneTimeTickets, type Ticket } from './one-time-tickets.ts'
import { createPoolIndex, type PoolIndex } from './pool-index.ts'
import { createReferrals, type GatewayPeer, type Referrals, type SignedRecord } from './referrals.ts'

/** A change for the server's record. `refused`: the resource was not admitted. */
export type PoolChange =
  | { readonly resource: Resource; readonly was: Resource['state'] | null }
  | { readonly refused: ResourceCard; readonly reason: string }

export type GatewayOptions = {
  readonly signer: Signer
  readonly scope: AdmissionScope
  /** Whether anyone can get a ticket for the public pool. */
  readonly isOpen: boolean
  /** DIDs that find the resources of the private pool. */
  readonly insiders: ReadonlySet<string>
  readonly range: TestEnvironment
  readonly rules: () => readonly Rule[]
  readonly onChange: (change: PoolChange) => void
}

export type FoundResource = { readonly admission: SignedRecord; readonly ticket: string; readonly rank: number }
/** `fault`: the reason, a sentence. */
export type GatewayRefusal = { readonly fault: string }
export type Connection = Pick<ResourceCard, 'resource' | 'endpoint' | 'protocol' | 'skill_names'> & { readonly fingerprint: string }

export type Gateway = {
  readonly did: string
  readonly scope: AdmissionScope
  /** A registration ticket from the operator. */
  issueTicket(resource: string, pool?: Ticket['pool']): string
  /** A registration ticket for anyone, if the gateway is open. */
  askTicket(resource: string): { readonly ticket: string } | GatewayRefusal
  /** Tests a resource and admits it. @param received a signed resource card */
  register(received: unknown, ticket: string): Promise<{ readonly resource: Resource } | GatewayRefusal>
  /** Tests all resources that are due. Resolves with their number. */
  retest(): Promise<number>
  /** Offers that `by` (DID) may use, each with a ticket, and referrals to other gateways if too few were found. */
  find(query: ResourceQuery, by: string): Promise<{ readonly found: FoundResource[]; readonly referrals: SignedRecord[] }>
  /** Redeems a ticket for the resource's endpoint. */
  connect(ticket: string, by: string): Connection | GatewayRefusal
  /** Redeems a ticket for a call through the gateway. */
  redeem(ticket: string, by: string): { readonly card: ResourceCard } | GatewayRefusal
  /** A resource of the public pool for its proxy agent, whose DID is `by`, under the same rules. */
  grant(resource: string, by: string): { readonly card: ResourceCard } | GatewayRefusal
  /** Admissions of the public pool, for other gateways to refer to. */
  admissions(): SignedRecord[]
  /** Replaces the known admissions of a peer. Resolves with their number. */
  learn(neighbour: GatewayPeer, received: readonly unknown[]): Promise<number>
  /** Evicts all resources that a rule denies now. */
  enforce(): void
  list(): Resource[]
  restore(resources: readonly Resource[]): void
}

const ticketLifeMs = 600_000
const maxConcurrentTests = 4
const maxQueuedTests = 200
export const maxResources = 100_000

type State = {
  readonly options: GatewayOptions
  /** By DID of the resource. */
  readonly pool: Map<string, Resource>
  readonly index: PoolIndex
  readonly tickets: OneTimeTickets
  readonly referrals: Referrals
  /** Tests that wait for a slot. */
  readonly testQueue: (() => void)[]
  runningTests: number
}

export function createGateway(options: GatewayOptions): Gateway {
  const { signer, scope, isOpen, range } = options
  const state: State = {
    options,
    pool: new Map(),
    index: createPoolIndex(),
    tickets: createOneTimeTickets(range.now, range.random),
    referrals: createReferrals(signer, range.now),
    testQueue: [],
    runningTests: 0,
  }
  return {
    did: signer.did,
    scope,
    issueTicket: (resource, pool = 'public') => issueTicket(state, { purpose: 'register', holder: resource, resource, pool }),
    askTicket(resource) {
      if (!isOpen) return { fault: 'Only the operator of this gateway can issue tickets.' }
      return { ticket: issueTicket(state, { purpose: 'register', holder: resource, resource, pool: 'public' }) }
    },
    register: (received, ticket) => register(state, received, ticket),
    retest: () => retestDue(state),
    find: (query, by) => find(state, query, by),
    connect: (ticket, by) => connect(state, ticket, by),
    redeem: (ticket, by) => redeem(state, ticket, by),
    grant: (id, by) => (state.pool.get(id)?.pool === 'public' ? lend(state, id, by) : { fault: 'The resource is not in the public pool.' }),
    admissions: () => listAdmissions(state),
    learn: (neighbour, received) => state.referrals.learn(neighbour, received),
    enforce: () => enforceRules(state),
    list: () => [...state.pool.values()],
    restore(resources) {
      for (const resource of resources) store(state, resource)
    },
  }
}

const now = ({ options }: State): number => options.range.now()

function issueTicket(state: State, ticket: Omit<Ticket, 'expiresAt'>): string {
  return state.tickets.issue({ ...ticket, expiresAt: now(state) + ticketLifeMs })
}

function store({ pool, index }: State, resource: Resource): void {
  pool.set(resource.id, resource)
  if (resource.state === 'admitted' || resource.state === 'demoted') index.put(resource)
  else index.drop(resource.id)
}

function change(state: State, resource: Resource, was: Resource['state'] | null): void {
  store(state, resource)
  state.options.onChange({ resource, was })
}

/** Runs a test when a slot is free. Refuses if too many tests wait. */
async function withTestSlot<T>(state: State, work: () => Promise<T>): Promise<T | GatewayRefusal> {
  if (state.runningTests >= maxConcurrentTests) {
    if (state.testQueue.length >= maxQueuedTests) return { fault: 'Too many resources wait for a test. Repeat the request later.' }
    await new Promise<void>((start) => state.testQueue.push(start))
  }
  state.runningTests++
  try {
    return await work()
  } finally {
    state.runningTests--
    state.testQueue.shift()?.()
  }
}

/** The resource with a new signed admission. */
async function signAdmitted(state: State, resource: Resource): Promise<Resource> {
  const { card, fingerprint, checks, testedAt } = resource
  const { v, kind, name, summary, version, operator, skills, topics, region } = card
  const issued = now(state)
  const admission = await signAdmission(state.options.signer, {
    ...{ v, resource: card.resource, kind, name, summary, version, operator, skills, topics, fingerprint, checks },
    ...(region !== undefined && { region }),
    tested_at: new Date(testedAt).toISOString(),
    issued_at: new Date(issued).toISOString(),
    expires_at: new Date(issued + Math.min(admissionLifeMs, maxAdmissionLifeMs)).toISOString(),
  })
  return { ...resource, admission: admission as unknown as SignedRecord }
}

const findAdmissionBlock = (state: State, card: ResourceCard) =>
  findBlockingRule(state.options.rules(), toPolicyRequest('admit', card), now(state))

/** Why a card is refused without a test; null if it is not. */
function findCardError(state: State, card: ResourceCard): string | null {
  const { scope, range } = state.options
  const isKnown = state.pool.has(card.resource)
  if (!isKnown && state.pool.size >= maxResources) return `This gateway is full, with ${maxResources} resources.`
  const untestable = card.skills.find((skill) => skill.samples.length === 0)
  if (untestable) return `The skill ${untestable.id} has no sample to be tested by.`
  return findScopeError(scope, card) ?? findAdmissionBlock(state, card)?.sentence ?? findUrlError(card.endpoint, range.policy)
}

async function register(state: State, received: unknown, secret: string): Promise<{ resource: Resource } | GatewayRefusal> {
  const read = await readCard(received, now(state))
  if (read.fault !== null) return { fault: `The card is invalid. ${read.fault}` }
  const card = read.value
  const refuse = (reason: string): GatewayRefusal => {
    state.options.onChange({ refused: card, reason })
    return { fault: reason }
  }
  const held = state.tickets.take(secret, 'register', card.resource)
  if ('fault' in held) return refuse(held.fault)
  let isAdmitted = false
  try {
    const error = findCardError(state, card)
    if (error !== null) return refuse(error)
    const tested = await withTestSlot(state, () => testNewResource(state, card))
    if ('fault' in tested) return refuse(tested.fault)
    if (tested.kind !== 'passed') return refuse(tested.reason)
    const known = state.pool.get(card.resource)
    const resource = await signAdmitted(state, advanceResource(newResource(card, held.ticket.pool, now(state)), tested, now(state)))
    change(state, resource, known?.state ?? null)
    isAdmitted = true
    return { resource }
  } finally {
    // A refused registration does not use up the ticket.
    if (!isAdmitted) held.giveBack()
  }
}

async function testNewResource({ options }: State, card: ResourceCard): Promise<TestResult> {
  const { signer, range } = options
  const keyError = await checkKeyControl(card, signer.did, range)
  return keyError === null ? runResourceTests(card, null, range) : { kind: 'failed', reason: keyError, grave: false }
}

function newResource(card: ResourceCard, pool: Resource['pool'], at: number): Resource {
  return {
    ...{ id: card.resource, card, pool, state: 'testing', reason: '', described: null, fingerprint: '', failures: 0 },
    ...{ checks: 0, registeredAt: at, testedAt: 0, nextTestAt: at, admission: null },
  }
}

async function retestDue(state: State): Promise<number> {
  const due = [...state.pool.values()].filter((one) => one.state !== 'evicted' && one.nextTestAt <= now(state))
  await Promise.all(due.map(({ id }) => withTestSlot(state, () => retest(state, id))))
  return due.length
}

async function retest(state: State, id: string): Promise<void> {
  const { pool, options } = state
  const before = pool.get(id)
  if (!before || before.state === 'evicted') return
  const block = findAdmissionBlock(state, before.card)
  const result: TestResult = block
    ? { kind: 'denied', reason: block.sentence }
    : await runResourceTests(before.card, before.described, options.range)
  const after = advanceResource(before, result, now(state))
  // The resource registered again meanwhile: the result is about an outdated card.
  if (pool.get(id) !== before) return
  if (after.state !== 'drifted') {
    change(state, after.state === 'admitted' ? await signAdmitted(state, after) : after, before.state)
    return
  }
  change(state, after, before.state)
  const tested = await runResourceTests(after.card, null, options.range)
  if (pool.get(id) !== after) return
  const retested = advanceResource(after, tested, now(state))
  const explained = { ...retested, reason: `${retested.reason} It had changed: ${after.reason}` }
  change(state, explained.state === 'admitted' ? await signAdmitted(state, explained) : explained, 'drifted')
}

/** Whether `by` may find or use a resource now. */
const isVisible = (state: State, by: string, point: 'retrieve' | 'execute') => (resource: Resource) =>
  isAvailable(resource, now(state)) &&
  (resource.pool === 'public' || state.options.insiders.has(by)) &&
  findBlockingRule(state.options.rules(), toPolicyRequest(point, resource.card, by), now(state)) === null

async function find(state: State, query: ResourceQuery, by: string): ReturnType<Gateway['find']> {
  const found = state.index.find(query, isVisible(state, by, 'retrieve')).map(({ resource, rank }) => ({
    admission: resource.admission as SignedRecord,
    ticket: issueTicket(state, { purpose: 'connect', holder: by, resource: resource.id, pool: resource.pool }),
    rank,
  }))
  const missing = query.limit - found.length
  const known = new Set(found.map(({ admission }) => String(admission.resource)))
  const isNew = (resource: string) => !known.has(resource) && state.pool.get(resource)?.state !== 'evicted'
  const more = { ...query, limit: missing }
  return { found, referrals: missing > 0 ? await state.referrals.find(more, isNew, state.options.rules()) : [] }
}

function connect(state: State, secret: string, by: string): Connection | GatewayRefusal {
  const redeemed = redeem(state, secret, by)
  if ('fault' in redeemed) return redeemed
  const { resource, endpoint, protocol, skill_names } = redeemed.card
  return { resource, endpoint, protocol, skill_names, fingerprint: redeemed.resource.fingerprint }
}

function redeem(state: State, secret: string, by: string): { card: ResourceCard; resource: Resource } | GatewayRefusal {
  const held = state.tickets.take(secret, 'connect', by)
  if ('fault' in held) return held
  const lent = lend(state, held.ticket.resource, by)
  if ('fault' in lent) held.giveBack()
  return lent
}

function lend(state: State, id: string, by: string): { card: ResourceCard; resource: Resource } | GatewayRefusal {
  const resource = state.pool.get(id)
  if (!resource) return { fault: 'The resource is no longer in this pool.' }
  const block = findBlockingRule(state.options.rules(), toPolicyRequest('execute', resource.card, by), now(state))
  if (!block && isAvailable(resource, now(state))) return { card: resource.card, resource }
  return { fault: block?.sentence ?? `The resource is not available now: ${resource.reason}` }
}

const listAdmissions = (state: State): SignedRecord[] =>
  [...state.pool.values()]
    .filter((one) => one.pool === 'public' && isAvailable(one, now(state)))
    .map((one) => one.admission as { [field: string]: Json })

function enforceRules(state: State): void {
  for (const resource of state.pool.values()) {
    if (resource.state === 'evicted') continue
    const block = findAdmissionBlock(state, resource.card)
    if (block?.decision.effect === 'deny')
      change(state, advanceResource(resource, { kind: 'denied', reason: block.sentence }, now(state)), resource.state)
  }
}
