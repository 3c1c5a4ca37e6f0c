/**
 * One sealed step of a plan, and the server's rows of its dispute and of the offers to split it. Parties and arbitrator act through
 * the product or at the contract, or not at all. When the plan has ended, no row may be left open.
 */
import type { DisputeState, SettlementOfferState } from '@parley/protocol'
import { type Call, type Charter, codeOf, type Outcome, type Plan, type State, type Terms } from '../../contracts/model/types.ts'
import type { Actor, Move, World } from '../explore.ts'
import type { Rules } from '../rules.ts'
import { callsOn, charterOf, feeBps, hash, planOf, startTime, total, unfunded, who } from './escrow-calls.ts'
import { attempt } from './goal.ts'
import { planKey } from './plan.ts'
import { moneyFault } from './plan-laws.ts'

type Party = 'client' | 'payee'
type Offer = { readonly party: Party; readonly state: SettlementOfferState; readonly payeeBps: number }
export type DisputeWorldState = {
  readonly chain: State
  readonly dispute: { readonly state: DisputeState; readonly by: Party } | null
  /** The last offer of each party, newest first. */
  readonly offers: readonly Offer[]
}
type GoalModel = { readonly terms: Terms; readonly charter: Charter; readonly rules: Rules }

const day = 86_400
const deadlines = { workBy: startTime + 10 * day, reviewBy: startTime + 20 * day, expiry: startTime + 34 * day }
const offersUntil = startTime + 15 * day
const ruledBps = 4_000

export function disputeWorld(name: string, rules: Rules): World<DisputeWorldState> {
  const charter = charterOf(1, 1)
  const model = { terms: disputedTerms(), charter, rules }
  return {
    name,
    starts: [sealedStart(model)],
    keyOf: (state) => keyOf(state, model.terms),
    movesOf: (state) => movesOf(state, model),
    isFunded: (state) => planOf(state.chain, model.terms)?.status === 1 || hasOpenRow(state),
    faultOf: (state) => moneyFault(state.chain, model.terms, [charter]) ?? rowFault(state, model.terms),
    moveFaultOf: () => null,
    ageOf: (state) => state.chain.time - startTime,
    maxSeconds: deadlines.expiry - startTime,
  }
}

function disputedTerms(): Terms {
  const { client, token, feeTo, evaluator, arbitrator, authorizer } = who
  const roles = { client, token, feeTo, evaluator, arbitrator, authorizer }
  return { ...roles, total, ...deadlines, feeBps, vetoSeconds: 0, onSilence: 3, charter: hash(0), briefHash: hash(1), salt: 1n }
}

function sealedStart({ terms, charter, rules }: GoalModel): DisputeWorldState {
  const funded = rules.escrow(unfunded(), { fn: 'fund', from: who.client, terms }).state
  const plan = planOf(funded, terms)
  if (!plan) throw new Error('the escrow refuses the plan that this world begins with')
  const sealed = rules.escrow(funded, callsOn(terms, plan).seal(charter, 1, false))
  if (sealed.error !== null) throw new Error(`the escrow refuses the charter: ${sealed.error}`)
  return { chain: sealed.state, dispute: null, offers: [] }
}

function keyOf({ chain, dispute, offers }: DisputeWorldState, terms: Terms): string {
  const rows = [dispute?.state, dispute?.by, ...offers.map((one) => [one.party, one.state, one.payeeBps].join('/'))]
  const plan = planOf(chain, terms)
  return plan?.status === 2 ? ['closed', ...rows].join() : [chain.time, ...planKey(plan), ...rows].join()
}

const isOpenOffer = ({ state }: Offer) => state === 'made' || state === 'accepting'
const isOpenDispute = (state: DisputeState | undefined) => state === 'open' || state === 'ruling'
const hasOpenRow = ({ dispute, offers }: DisputeWorldState) =>
  dispute?.state === 'signed' || isOpenDispute(dispute?.state) || offers.some(isOpenOffer)

/** What a reader of the rows would take for true, and the escrow does not say. */
function rowFault({ chain, dispute, offers }: DisputeWorldState, terms: Terms): string | null {
  const code = planOf(chain, terms)?.codes[0]
  if (isOpenDispute(dispute?.state) !== (code === codeOf.disputed)) return 'The rows and the escrow differ on whether the step is disputed.'
  const isOver = code === codeOf.paid || code === codeOf.ended
  return isOver && offers.some(isOpenOffer) ? 'An offer stays open on a step that has ended.' : null
}

function movesOf(from: DisputeWorldState, model: GoalModel): Move<DisputeWorldState>[] {
  const plan = planOf(from.chain, model.terms)
  if (!plan) return []
  if (plan.status === 2) return fromServer(from, plan, model)
  const moves = [...inProduct(from, plan, model), ...fromServer(from, plan, model), ...atContract(from, plan, model)]
  const now = from.chain.time
  const moments = [...Object.values(deadlines), deadlines.workBy + 1, offersUntil + 1].filter((one) => one > now)
  if (moments.length === 0) return moves
  return [...moves, { name: 'time', by: 'time', to: { ...from, chain: { ...from.chain, time: Math.min(...moments) } } }]
}

/** The facts of the step, as the product's own checks ask for them. */
function stepOf(plan: Plan, terms: Terms) {
  const states: { readonly [code: number]: string } = {
    [codeOf.pending]: 'sealed',
    [codeOf.disputed]: 'disputed',
    [codeOf.paid]: 'paid',
    [codeOf.ended]: 'refunded',
  }
  const hold = plan.status === 2 ? { terms, settledTx: '0x' } : { terms }
  return { hold, payout: { step: 1, state: states[plan.codes[0] ?? 0] } } as unknown as Parameters<Rules['requireDisputable']>[0]
}

/** Commands of parties and of an operator. A command that the product refuses is no move. */
function inProduct(from: DisputeWorldState, plan: Plan, { terms, rules }: GoalModel): Move<DisputeWorldState>[] {
  const step = stepOf(plan, terms)
  const now = from.chain.time
  const moves: Move<DisputeWorldState>[] = []
  const add = (name: string, by: Actor, to: () => DisputeWorldState) => {
    const next = attempt(to)
    if (next) moves.push({ name, by, to: next })
  }
  const { dispute, offers } = from
  for (const party of ['client', 'payee'] as const) {
    add('dispute.open', party, () => {
      rules.requireDisputable(step, now)
      if (dispute) rules.requireDisputeTransition(dispute.state, 'signed', 'be opened')
      return { ...from, dispute: { state: 'signed', by: party } }
    })
    for (const payeeBps of [3_333, party === 'client' ? 10_000 : 0])
      if (!offers.some((one) => one.state === 'accepting'))
        add('settlement_offer.make', party, () => offered(from, { party, payeeBps }, { step, rules }))
  }
  if (dispute)
    add('dispute.rule', 'operator', () => {
      rules.requireDisputeTransition(dispute.state, 'ruling', 'become ruling')
      return { ...from, dispute: { ...dispute, state: 'ruling' } }
    })
  for (const offer of offers)
    add('settlement_offer.accept', offer.party === 'client' ? 'payee' : 'client', () => {
      rules.requireSettlementOfferTransition(offer.state, 'accepting', 'be accepted')
      rules.requireOfferable(step, offersUntil, now)
      return { ...from, offers: replaced(offers, offer, 'accepting') }
    })
  return moves
}

type Offering = { readonly step: Parameters<Rules['requireOfferable']>[0]; readonly rules: Rules }

function offered(from: DisputeWorldState, { party, payeeBps }: Omit<Offer, 'state'>, { step, rules }: Offering): DisputeWorldState {
  rules.requireOfferable(step, offersUntil, from.chain.time)
  const isGift = payeeBps === (party === 'client' ? 10_000 : 0)
  const others = from.offers.filter((one) => one.party !== party)
  return { ...from, offers: [{ party, payeeBps, state: isGift ? 'accepting' : 'made' }, ...others] }
}

const replaced = (offers: readonly Offer[], one: Offer, state: SettlementOfferState) =>
  offers.map((other) => (other === one ? { ...other, state } : other))

const payeeOf = ({ steps }: Charter) => steps[0]?.payee ?? who.stranger

/** What `submitDispute`, `submitRuling` and `submitAcceptedOffer` do. */
function fromServer(from: DisputeWorldState, plan: Plan, model: GoalModel): Move<DisputeWorldState>[] {
  const { dispute, offers, chain } = from
  const calls = callsOn(model.terms, plan)
  const { charter, rules } = model
  const moves: Move<DisputeWorldState>[] = []
  const send = (name: string, call: Call, refused: DisputeWorldState) => {
    const outcome = rules.escrow(chain, call)
    moves.push({ name, by: 'server', to: outcome.error === null ? book(from, outcome, rules) : refused })
  }
  if (dispute?.state === 'signed') {
    const by = dispute.by === 'client' ? who.client : payeeOf(charter)
    send('submit the dispute', calls.dispute(charter, 0, by), { ...from, dispute: { ...dispute, state: 'refused' } })
  }
  if (dispute?.state === 'ruling' && plan.status === 1 && plan.codes[0] === codeOf.disputed)
    send('submit the ruling', calls.rule(charter, 0, ruledBps), { ...from, dispute: { ...dispute, state: 'open' } })
  const isOpen = plan.status === 1 && (plan.codes[0] === codeOf.pending || plan.codes[0] === codeOf.disputed)
  for (const offer of offers)
    if (offer.state === 'accepting' && isOpen) {
      const call = calls.acceptOffer(charter, 0, { payeeBps: offer.payeeBps, deadline: offersUntil })
      send('submit the offer', call, { ...from, offers: replaced(offers, offer, 'lapsed') })
    }
  return moves
}

/** What anyone brings to the contract past the server. */
function atContract(from: DisputeWorldState, plan: Plan, { terms, charter, rules }: GoalModel): Move<DisputeWorldState>[] {
  const calls = callsOn(terms, plan)
  const attempts: (readonly [Actor, Call])[] = [
    ['client', calls.dispute(charter, 0, who.client)],
    ['payee', calls.dispute(charter, 0, payeeOf(charter))],
    ['payee', calls.submit(charter, 0)],
    ['arbitrator', calls.rule(charter, 0, 0)],
    ['arbitrator', calls.rule(charter, 0, ruledBps)],
    ['client', calls.acceptOffer(charter, 0, { payeeBps: 3_333, deadline: offersUntil })],
    ['client', calls.release(charter, 1n, false)],
    ['evaluator', calls.settle(charter, 1n, true)],
    ['evaluator', calls.settle(charter, 0n, true)],
    ['evaluator', calls.settleHalf(charter, 1n, true)],
    ['anybody', calls.settleOnSilence(charter, 1n)],
    ['anybody', calls.closeExpired(charter)],
    ['anybody', calls.refund()],
  ]
  return attempts.flatMap(([by, call]) => {
    const outcome = rules.escrow(from.chain, call)
    return outcome.error === null ? [{ name: `contract: ${call.fn}`, by, to: book(from, outcome, rules) }] : []
  })
}

/** As `record-disputes.ts` does with rows, by the same decisions. */
function book(from: DisputeWorldState, { state, events }: Outcome, rules: Rules): DisputeWorldState {
  let next: DisputeWorldState = { ...from, chain: state }
  const lapse = (offers: readonly Offer[]) => offers.map((one) => (isOpenOffer(one) ? { ...one, state: 'lapsed' as const } : one))
  const move = (fact: Parameters<Rules['nextDisputeState']>[1]) => {
    const to = rules.nextDisputeState(next.dispute?.state ?? null, fact)
    next = { ...next, dispute: to === null ? null : { by: next.dispute?.by ?? 'client', state: to } }
  }
  for (const event of events) {
    if (event.name === 'StepDisputed') move('disputed')
    if (event.name === 'StepRuled' || event.name === 'OfferAccepted' || event.name === 'StepSplit') {
      const isAgreed = event.name === 'OfferAccepted'
      move(event.name === 'StepRuled' ? 'ruled' : isAgreed ? 'agreed' : 'closed')
      const taken = rules.findExecutedOffer(next.offers.filter(isOpenOffer), { isAgreed, payeeBps: Number(event.payeeBps) })
      const offers = next.offers.map((one) => (one === taken ? { ...one, state: 'accepted' as const } : one))
      next = { ...next, offers: lapse(offers) }
    }
    const isPaid = event.name === 'StepsSettled' || event.name === 'StepsDefaulted'
    if (isPaid && BigInt(String(event.bits)) !== 0n) next = { ...next, offers: lapse(next.offers) }
    if (event.name === 'PlanClosed') {
      move('closed')
      next = { ...next, offers: lapse(next.offers) }
    }
  }
  return next
}
