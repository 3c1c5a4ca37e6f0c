/** Every timeout, taken away, and dead ends that a change might introduce: each has to make the check fail. */

import type { ChainObservation, ChainTransaction } from '../../server/settlement/chain/transaction.ts'
import type { CardPayment, CardPaymentEvent } from '../../server/settlement/stripe/card-payment.ts'
import type { Call, Outcome, Plan, State } from '../contracts/model/types.ts'
import { type AnyWorld, small } from './profiles.ts'
import { type Rules, rules } from './rules.ts'

export type PlantedFault = { readonly name: string; readonly world: AnyWorld; readonly change: Partial<Rules> }
const never = Number.MAX_SAFE_INTEGER
const farOff = new Date(9_000_000_000_000)

type Fn = Call['fn']
const escrow = (change: (before: State, what: Call) => Outcome): Partial<Rules> => ({ escrow: change })
const only = (fns: readonly Fn[], change: (before: State, what: Call) => Outcome): Partial<Rules> =>
  escrow((before, what) => (fns.includes(what.fn) ? change(before, what) : rules.escrow(before, what)))
const refused = (before: State): Outcome => ({ state: before, events: [], error: 'Removed' })
const planIn = (state: State): Plan | undefined => Object.values(state.plans)[0]

/** The contract no longer takes this call. */
export const without = (...fns: Fn[]) => only(fns, refused)
/** The contract no longer takes this call of such a plan. */
export const refusing = (isRefused: (plan: Plan, what: Call) => boolean, ...fns: Fn[]) =>
  only(fns, (before, what) => {
    const plan = planIn(before)
    return plan && isRefused(plan, what) ? refused(before) : rules.escrow(before, what)
  })
/** The contract reads another clock for this call. */
export const atTime = (clock: (now: number, what: Call, plan: Plan | undefined) => number, ...fns: Fn[]) =>
  only(fns, (before, what) => {
    const outcome = rules.escrow({ ...before, time: clock(before.time, what, planIn(before)) }, what)
    return outcome.error === null ? { ...outcome, state: { ...outcome.state, time: before.time } } : refused(before)
  })
/** The contract takes the plan for another than it is. */
export const misread = (as: (plan: Plan, before: State) => Partial<Plan>, ...fns: Fn[]) =>
  only(fns, (before, what) => {
    const plans = Object.fromEntries(Object.entries(before.plans).map(([id, plan]) => [id, { ...plan, ...as(plan, before) }]))
    const outcome = rules.escrow({ ...before, plans }, what)
    return outcome.error === null ? outcome : refused(before)
  })
/** The contract does something more, or something else. */
export const spoilt = (corruptCall: (state: State, plan: Plan) => void, ...fns: Fn[]) =>
  only(fns, (before, what) => {
    const outcome = rules.escrow(before, what)
    const plan = planIn(outcome.state)
    if (outcome.error === null && plan) corruptCall(outcome.state, plan)
    return outcome
  })

const all: readonly Fn[] = [
  'settle',
  'release',
  'submit',
  'dispute',
  'rule',
  'acceptOffer',
  'settleOnSilence',
  'closeExpired',
  'refund',
  'veto',
  'seal',
]

const termsOf = (what: Call) => ('terms' in what && !Array.isArray(what.terms) ? what.terms : null)
const beforeThe =
  (name: 'workBy' | 'reviewBy' | 'expiry', off = 0) =>
  (now: number, what: Call) =>
    Math.min(now, (termsOf(what)?.[name] ?? now) - off)
const payment = (change: (next: CardPayment, event: CardPaymentEvent, before: CardPayment) => CardPayment | null): Partial<Rules> => ({
  advancePayment: (before, event) => {
    const next = rules.advancePayment(before, event)
    return next && change(next, event, before)
  },
})
export const cardPayment = payment
export const transaction = (
  change: (row: ChainTransaction, sighting: ChainObservation) => ReturnType<Rules['advanceTransaction']>,
): Partial<Rules> => ({
  advanceTransaction: change,
})
const {
  plan,
  planThatRefunds,
  goal,
  goalWithChanges,
  contest,
  silentRefund,
  goalWithKey,
  changingMember,
  lostKey,
  channel,
  card,
  settlement,
} = small

const ofEscrow: readonly PlantedFault[] = [
  { name: 'expiry, from which anybody refunds', world: plan, change: without('refund') },
  { name: 'expiry, from which silence closes', world: plan, change: without('closeExpired') },
  {
    name: 'review, before silence pays',
    world: plan,
    change: atTime((now, what) => Math.max(now, termsOf(what)?.reviewBy ?? now), 'settleOnSilence'),
  },
  { name: 'veto window: has no length', world: plan, change: misread((one) => (one.state === 1 ? { payableFrom: 0 } : {}), ...all) },
  { name: 'veto window: never ends', world: plan, change: misread((one) => (one.state === 1 ? { payableFrom: never } : {}), ...all) },
  { name: 'notice: has no length', world: plan, change: misread((one, { time }) => (one.noticed ? { closableFrom: time } : {}), 'refund') },
  { name: 'notice: never ends', world: plan, change: misread(() => ({ closableFrom: never }), 'refund') },
  { name: 'deadline of submissions', world: plan, change: atTime(beforeThe('workBy'), 'submit') },
  { name: 'deadline of disputes', world: plan, change: atTime(beforeThe('reviewBy', 1), 'dispute') },
  { name: 'deadline of rulings', world: plan, change: atTime(beforeThe('expiry', 1), 'rule') },
  { name: 'deadline of offers', world: plan, change: atTime(() => 0, 'acceptOffer') },
  {
    name: 'deadline of charters',
    world: plan,
    change: only(['seal'], (before, what) => {
      const expiry = what.fn === 'seal' ? what.sealing.terms.expiry : 0
      const outcome = rules.escrow({ ...before, time: Math.min(before.time, expiry - 1) }, what)
      return outcome.error === null ? { ...outcome, state: { ...outcome.state, time: before.time } } : refused(before)
    }),
  },
  {
    name: 'most days that a plan lasts',
    world: plan,
    change: atTime((now, what) => Math.max(now, (termsOf(what)?.expiry ?? 0) - 365 * 86_400), 'fund'),
  },
  {
    name: 'least time for review',
    world: plan,
    change: only(['fund'], (before, what) => {
      const outcome = rules.escrow(before, what)
      return outcome.error === 'WindowTooShort' ? { ...outcome, error: null } : outcome
    }),
  },
  {
    name: 'time to dispute where silence refunds',
    world: planThatRefunds,
    change: atTime((now, _what, one) => (one?.submitted ? now + 20 * 86_400 : now), 'settle'),
  },
]

const ofProduct: readonly PlantedFault[] = [
  {
    name: 'reclaim after the expiry',
    world: goal,
    change: { nextHoldAction: (facts, now) => noReclaim(rules.nextHoldAction(facts, now)) },
  },
  {
    name: 'end of the wait for a late settlement',
    world: lostKey,
    change: { nextReclaim: (hold, one, now) => (hold.state === 'authorized' || one.closing ? rules.nextReclaim(hold, one, now) : null) },
  },
  { name: 'review clock', world: goal, change: { reviewAt: () => null } },
  { name: 'work clock', world: silentRefund, change: { workDueAt: () => null } },
  { name: 'contest clock', world: contest, change: { nextContestAction: () => ({ wait: farOff }) } },
  {
    name: 'contest clock: leaves no time for a veto',
    world: contest,
    change: {
      decisionDueAt: ({ deadline }) => deadline,
      nextContestAction: (terms, entries, now) => rules.nextContestAction({ ...terms, vetoHours: 0 }, entries, now),
    },
  },
  { name: 'revision clock', world: goalWithChanges, change: { revisionDueAt: () => null } },
  // Where the server ends the work of a goal without a conclusion, its review pays what these two would. They are the second protection.
  { name: 'submission before the work ends', world: goal, change: { nextSubmission: () => null, workDueAt: () => null } },
  { name: 'silence clock', world: goal, change: { stepsToPayByDefault: () => 0n, workDueAt: () => null } },
  { name: 'wait for an approval', world: goalWithKey, change: { approvalSeconds: never } },
  { name: 'due date of a sealing', world: goal, change: { nextSealing: () => null } },
  {
    name: 'time to dispute a return: has no length',
    world: goal,
    change: { isDisputeTime: () => false, nextSettlement: (hold, facts) => rules.nextSettlement(hold, { ...facts, now: never }) },
  },
  { name: "wait for a party's word", world: changingMember, change: { signatureWaitSeconds: 1_000 * 86_400 } },
  { name: 'time to dispute a return: never ends', world: goal, change: { isDisputeTime: (until) => until !== null } },
  { name: 'wait of a settlement for the veto window: never ends', world: goal, change: { isVetoTime: (sealed) => sealed !== null } },
]
const noReclaim = <T extends string>(want: T | null): Exclude<T, 'reclaim'> | null =>
  want === 'reclaim' ? null : (want as Exclude<T, 'reclaim'> | null)

const ofChannels: readonly PlantedFault[] = [
  {
    name: 'withdraw delay: has no length',
    world: channel,
    change: { channels: (before, what) => rules.channels(what.fn === 'withdraw' ? { ...before, withdrawDelay: 0 } : before, what) },
  },
  {
    name: 'withdraw delay: never ends',
    world: channel,
    change: { channels: (before, what) => (what.fn === 'withdraw' ? null : rules.channels(before, what)) },
  },
  {
    name: 'validity of a signed closing',
    world: channel,
    change: {
      channels: (before, what) => rules.channels(before, what.fn === 'closeWithSignatures' ? { ...what, validBefore: never } : what),
    },
  },
  {
    name: 'idle time of a channel',
    world: channel,
    change: {
      timeoutEvent: (one, at) => (one.state === 'open' && 'failure' in one && one.failure === null ? null : rules.timeoutEvent(one, at)),
    },
  },
  {
    name: 'pause after a refused claim',
    world: channel,
    change: { timeoutEvent: (one, at) => ('failure' in one && one.failure !== null ? null : rules.timeoutEvent(one, at)) },
  },
  { name: 'lease of a call', world: channel, change: { callLeaseMs: Number.POSITIVE_INFINITY } },
]

const ofCards: readonly PlantedFault[] = [
  { name: 'claim date of a share', world: card, change: { claimDays: 10_000 } },
  { name: 'veto window of a card charter: has no length', world: card, change: { isCardCharterPayable: ({ veto }) => veto === null } },
  { name: 'expiry of a card hold', world: card, change: { reclaimsCards: false } },
  { name: 'life of an idempotency key', world: card, change: { isIdempotencyKeyExpired: () => false } },
  {
    name: 'pause after no answer',
    world: card,
    change: payment((next, event) => (event.type === 'wait' ? { ...next, retryAt: farOff } : next)),
  },
  {
    name: 'pause after a refusal that passes',
    world: card,
    change: payment((next, event) => (event.type === 'refuse' && event.remedy === 'time' ? { ...next, retryAt: farOff } : next)),
  },
  {
    name: 'look at what is pending',
    world: card,
    change: payment((next) => (next.state === 'seen' ? { ...next, retryAt: farOff } : next)),
  },
]

const ofTransactions: readonly PlantedFault[] = [
  {
    name: 'pause before another attempt',
    world: settlement,
    change: {
      decideNextAttempt: (last, next) => (rules.decideNextAttempt(last, next) === 'new' ? 'wait' : rules.decideNextAttempt(last, next)),
    },
  },
  { name: 'cancellation of a stuck nonce', world: settlement, change: { cancelAfterMs: never } },
]

export const timeouts: readonly PlantedFault[] = [...ofEscrow, ...ofProduct, ...ofChannels, ...ofCards, ...ofTransactions]
