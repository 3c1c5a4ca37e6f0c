/**
 * One plan in the escrow, and no one's server: client, payees, evaluator and arbitrator make any call that the contract accepts from them,
 * or nothing. What ends the money is time, and calls that anyone may make.
 */
import { noHash, zeroAddress } from '../../contracts/model/call-context.ts'
import { bindCharter } from '../../contracts/model/typed-data.ts'
import type { Call, ChainEvent, Charter, Plan, State, Terms } from '../../contracts/model/types.ts'
import type { Actor, Move, World } from '../explore.ts'
import type { Rules } from '../rules.ts'
import { callsOn, charterInForce, charterOf, feeBps, hash, planOf, startTime, total, unfunded, who } from './escrow-calls.ts'
import { moneyFault, planMoveFault } from './plan-laws.ts'

export type PlanProfile = {
  readonly name: string
  readonly steps: 1 | 2
  readonly charters: 1 | 2
  readonly silencePays: boolean
  /** Whether silence that pays gives half. Left out: it does not. */
  readonly silenceSplits?: boolean
  /** A silent member can be dropped from the team without its word. */
  readonly silentReplaced: boolean
  readonly vetoSeconds: number
  readonly canDispute: boolean
  /** The terms name the charter. */
  readonly isDirect?: boolean
  /** The token refuses to send to the first payee. */
  readonly isBlocked?: boolean
}

/** What the laws ask about that the contract does not remember. Unix seconds. */
export type Memory = { readonly proposedAt: number | null; readonly noticedAt: number | null }
export type PlanState = {
  readonly chain: State
  readonly memory: Memory
  /** Of the call that led here; no part of what the state is. */
  readonly chainEvents: readonly ChainEvent[]
}

const hour = 3_600
const day = 86_400
/** The most that the escrow takes. */
const longest = 365 * day
const deadlines = { workBy: startTime + 10 * day, reviewBy: startTime + 20 * day, expiry: startTime + longest }
/** When the offers run out that client and payee have signed. */
const offersUntil = startTime + 15 * day

export function planWorld(profile: PlanProfile, rules: Rules): World<PlanState> {
  const charters = [charterOf(1, profile.steps), charterOf(2, profile.steps)].slice(0, profile.charters)
  const terms = termsOf(profile, charters)
  return {
    name: profile.name,
    starts: startsOf(profile, terms, rules),
    keyOf: (state) => keyOf(state, terms),
    movesOf: (state) => movesOf(state, terms, charters, rules),
    isFunded: (state) => planOf(state.chain, terms)?.status === 1,
    faultOf: (state) => moneyFault(state.chain, terms, charters) ?? noticeFault(state, terms, rules),
    moveFaultOf: (from, { to }) => planMoveFault(from, to, terms, { charters, offersUntil }),
    ageOf: (state) => state.chain.time - startTime,
    maxSeconds: longest,
  }
}

function termsOf(profile: PlanProfile, charters: readonly Charter[]): Terms {
  const [first] = charters
  return {
    client: who.client,
    token: who.token,
    total,
    ...deadlines,
    feeBps,
    feeTo: who.feeTo,
    evaluator: who.evaluator,
    arbitrator: profile.canDispute ? who.arbitrator : zeroAddress,
    authorizer: who.authorizer,
    vetoSeconds: profile.vetoSeconds,
    onSilence: (profile.silencePays ? 1 : 0) | (profile.silentReplaced ? 2 : 0) | (profile.silenceSplits ? 4 : 0),
    charter: profile.isDirect && first ? bindCharter(first) : noHash,
    briefHash: hash(1),
    salt: 1n,
  }
}

/** The plan as it is funded; and, which must not be, one that lies for longer or has no time for review. */
function startsOf(profile: PlanProfile, terms: Terms, rules: Rules): PlanState[] {
  const before = unfunded()
  const token = before.tokens[who.token]
  if (profile.isBlocked && token) token.answers[who.payees[0]] = 1
  const open = (one: Terms) => {
    const { state, error } = rules.escrow(before, { fn: 'fund', from: who.client, terms: one })
    return error === null ? state : null
  }
  const funded = open(terms)
  if (!funded) throw new Error('the escrow refuses the plan that this world begins with')
  if (open({ ...terms, expiry: terms.expiry + hour })) throw new Error('the escrow takes money for more than 365 days')
  if ((profile.silencePays || profile.canDispute) && open({ ...terms, reviewBy: terms.workBy }))
    throw new Error('the escrow takes terms without any time for review')
  return [{ chain: funded, memory: { proposedAt: null, noticedAt: null }, chainEvents: [] }]
}

/**
 * Who has which money is left out: the contract never reads it, and the laws about it are asked of every state that is reached.
 * What a closed plan was does not matter any more.
 */
function keyOf({ chain, memory }: PlanState, terms: Terms): string {
  const plan = planOf(chain, terms)
  if (plan?.status === 2) return 'closed'
  return [chain.time - startTime, ...planKey(plan), memory.proposedAt, memory.noticedAt].join()
}

export function planKey(plan: Plan | undefined): (string | number | boolean | bigint)[] {
  if (!plan) return []
  const { status, remaining, version, state, closing, vetoed, noticed, charter, submitted, disputedByPayee, payableFrom, closableFrom } =
    plan
  const codes = plan.codes.slice(0, 3).join('')
  return [
    status,
    remaining,
    codes,
    version,
    state,
    closing,
    vetoed,
    noticed,
    charter,
    submitted,
    disputedByPayee,
    payableFrom,
    closableFrom,
  ]
}

/** A client that gave notice has its money back once it has run. */
function noticeFault({ chain }: PlanState, terms: Terms, rules: Rules): string | null {
  const plan = planOf(chain, terms)
  if (plan?.status !== 1 || !plan.noticed || plan.state !== 0 || chain.time < plan.closableFrom) return null
  return rules.escrow(chain, callsOn(terms, plan).refund()).error === null ? null : 'A notice has run, and does nothing.'
}

type Attempt = readonly [by: Actor, call: Call]

function movesOf(from: PlanState, terms: Terms, charters: readonly Charter[], rules: Rules): Move<PlanState>[] {
  const plan = planOf(from.chain, terms)
  if (plan?.status !== 1) return []
  const attempts = [...beforeWork(terms, plan, charters), ...onCharter(terms, plan, charters), ...byAnyAccount(terms, plan, charters)]
  const moves = attempts.flatMap(([by, what]) => {
    const { state, events, error } = rules.escrow(from.chain, what)
    return error === null ? [{ name: what.fn, by, to: { chain: state, memory: remember(from, events), chainEvents: events } }] : []
  })
  const next = nextTime(from.chain.time, terms, plan)
  if (next === null) return moves
  return [...moves, { name: 'time', by: 'time', to: { ...from, chain: { ...from.chain, time: next }, chainEvents: [] } }]
}

/** The next moment at which the contract may answer otherwise. */
export function nextTime(now: number, { workBy, reviewBy, expiry }: Terms, plan: Plan): number | null {
  const all = [workBy, workBy + 1, offersUntil + 1, reviewBy, expiry, plan.payableFrom, plan.closableFrom]
  // From the expiry on the contract's answers stay as they are.
  const moments = all.filter((one) => one > now && one <= expiry)
  return moments.length === 0 ? null : Math.min(...moments)
}

function remember({ chain, memory }: PlanState, events: readonly ChainEvent[]): Memory {
  let next = memory
  for (const event of events) {
    if (event.name === 'PlanSealed') next = { noticedAt: null, proposedAt: Number(event.payableFrom) > 0 ? chain.time : null }
    if (event.name === 'CharterVetoed') next = { ...next, proposedAt: null }
    if (event.name === 'CloseRequested') next = { ...next, noticedAt: chain.time }
    if (event.name === 'PlanClosed') next = { proposedAt: null, noticedAt: null }
  }
  return next
}

function beforeWork(terms: Terms, plan: Plan, charters: readonly Charter[]): Attempt[] {
  const calls = callsOn(terms, plan)
  const inForce = charterInForce(plan, charters, terms)
  const all = (1n << BigInt(charters[0]?.steps.length ?? 0)) - 1n
  const sealed = charters.flatMap((charter, i): Attempt[] => [
    ['client', calls.seal(charter, i + 1, false)],
    ['evaluator', calls.seal(charter, i + 1, true)],
    ['evaluator', calls.sealAndSettle(charter, i + 1, { bits: all, close: true })],
    ['evaluator', calls.sealAndSettle(charter, i + 1, { bits: 1n, close: false })],
    ...(inForce && inForce !== charter ? [['client', calls.reseal(charter, i + 1, inForce)] as const] : []),
  ])
  return [
    ...(terms.charter === noHash ? sealed : []),
    ['client', calls.veto(who.client)],
    ['authorizer', calls.veto(who.authorizer)],
    ['client', calls.requestClose(who.client)],
    ['authorizer', calls.requestClose(who.authorizer)],
  ]
}

function onCharter(terms: Terms, plan: Plan, charters: readonly Charter[]): Attempt[] {
  const calls = callsOn(terms, plan)
  const charter = charterInForce(plan, charters, terms)
  if (!charter) return []
  const count = charter.steps.length
  const subsets = Array.from({ length: 2 ** count }, (_, bits) => BigInt(bits))
  const ends = subsets.flatMap((bits): Attempt[] => [
    ['evaluator', calls.settle(charter, bits, true)],
    ['client', calls.release(charter, bits, true)],
    ['evaluator', calls.settleHalf(charter, bits, true)],
    ...(bits === 0n ? [] : ([['evaluator', calls.settle(charter, bits, false)]] as const)),
    ...(bits === 0n ? [] : ([['evaluator', calls.settleHalf(charter, bits, false)]] as const)),
    ...(bits === 0n ? [] : ([['client', calls.release(charter, bits, false)]] as const)),
  ])
  const each = charter.steps.flatMap(({ payee }, step): Attempt[] => [
    ['payee', calls.submit(charter, step)],
    ['client', calls.dispute(charter, step, who.client)],
    ['payee', calls.dispute(charter, step, payee)],
    ...[0, 5_000, 10_000].map((bps) => ['arbitrator', calls.rule(charter, step, bps)] as const),
    ...[0, 3_333, 10_000].map((payeeBps) => ['client', calls.acceptOffer(charter, step, { payeeBps, deadline: offersUntil })] as const),
  ])
  return [...ends, ...each]
}

/** An evaluator closes a plan without a charter; the rest is anyone's. */
function byAnyAccount(terms: Terms, plan: Plan, charters: readonly Charter[]): Attempt[] {
  const calls = callsOn(terms, plan)
  const charter = charterInForce(plan, charters, terms)
  const refund: Attempt = ['anybody', calls.refund()]
  if (!charter) return [refund, ['evaluator', calls.settle({ steps: [], royalties: [], charterHash: noHash }, 0n, true)]]
  return [
    refund,
    ['anybody', calls.closeExpired(charter)],
    ...charter.steps.map((_, step) => ['anybody', calls.settleOnSilence(charter, 1n << BigInt(step))] as const),
  ]
}
