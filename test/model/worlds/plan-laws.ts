/** What has to hold of a plan in the escrow, in every state and over every move. */
import { creditOf, zeroAddress } from '../../contracts/model/call-context.ts'
import { type ChainEvent, type Charter, codeOf, type Plan, type State, type Terms } from '../../contracts/model/types.ts'
import { charterInForce, planOf, total, who } from './escrow-calls.ts'
import type { PlanState } from './plan.ts'

const noticeSeconds = 86_400

/** Money is neither made nor lost, and none is left in a plan that is closed. */
export function moneyFault(chain: State, terms: Terms, charters: readonly Charter[]): string | null {
  const balances = chain.tokens[who.token]?.balances ?? {}
  const all = Object.values(balances).reduce((sum, one) => sum + one, 0n)
  if (all !== total) return `There are ${all} base units of ${total}.`
  if (Object.values(balances).some((one) => one < 0n)) return 'An account is below zero.'
  const plan = planOf(chain, terms)
  const credits = Object.values(chain.credits[who.token] ?? {}).reduce((sum, one) => sum + one, 0n)
  const held = (plan?.remaining ?? 0n) + credits
  if ((balances[who.escrow] ?? 0n) !== held) return `The escrow holds ${balances[who.escrow] ?? 0n} and owes ${held}.`
  if (plan?.status === 2 && plan.remaining !== 0n) return 'A closed plan has money left.'
  // All charters here come to the same.
  const max = charters[0]?.steps.reduce((sum, step) => sum + step.amount, 0n) ?? 0n
  const paid = who.payees.reduce((sum, payee) => sum + (balances[payee] ?? 0n) + creditOf(chain, who.token, payee), 0n)
  return paid > max ? 'The payees have more than their steps cost.' : null
}

type Known = { readonly charters: readonly Charter[]; readonly offersUntil: number }

/** What one call may not do, for any caller. */
export function planMoveFault(from: PlanState, to: PlanState, terms: Terms, known: Known): string | null {
  const before = planOf(from.chain, terms)
  const after = planOf(to.chain, terms)
  if (!before || !after) return null
  if (before.status === 2) return 'A closed plan has changed.'
  return (
    tooSoon(from, to.chainEvents, terms, before) ??
    tooLate(from.chain.time, to.chainEvents, terms, known.offersUntil) ??
    takenBack(before, after, terms, to) ??
    unkept({ from, to }, terms, after, known.charters)
  )
}

const has = (events: readonly ChainEvent[], name: string) => events.some((one) => one.name === name)

/** Windows that protect a party must have run in full. */
function tooSoon({ chain, memory }: PlanState, events: readonly ChainEvent[], terms: Terms, before: Plan): string | null {
  const now = chain.time
  const moves = ['StepsSettled', 'StepsDefaulted', 'StepRuled', 'OfferAccepted', 'StepDisputed'].some((name) => has(events, name))
  const isProposed = before.state === 1 && memory.proposedAt !== null && !has(events, 'PlanSealed')
  if (moves && isProposed && now < (memory.proposedAt ?? 0) + terms.vetoSeconds)
    return 'A proposed charter was used within its veto window.'
  if (has(events, 'StepsDefaulted') && now < terms.reviewBy) return 'Silence paid before the review was over.'
  const isRefund = events[0]?.name === 'PlanClosed'
  if (!isRefund || now >= terms.expiry) return null
  if (before.state !== 0) return 'A plan with a charter in force was refunded before its expiry.'
  const isNoticed = memory.noticedAt !== null && now >= memory.noticedAt + noticeSeconds
  return isNoticed ? null : 'A plan was refunded before its notice had run.'
}

/** A move that a party must have time to answer arrives in time, or not at all. */
function tooLate(now: number, events: readonly ChainEvent[], terms: Terms, offersUntil: number): string | null {
  if (has(events, 'StepsSubmitted') && now > terms.workBy) return 'Work was submitted after its deadline.'
  if (has(events, 'StepDisputed') && now >= terms.reviewBy) return 'A step was disputed after the review.'
  if (has(events, 'StepRuled') && now >= terms.expiry) return 'A ruling came after the expiry.'
  if (has(events, 'OfferAccepted') && now > offersUntil) return 'An offer was carried out after its deadline.'
  return has(events, 'PlanSealed') && now >= terms.expiry ? 'A charter was sealed after the expiry.' : null
}

/** A debt is not taken back: submitted work where silence pays, and what the client disputed and no one ruled upon. */
function takenBack(before: Plan, after: Plan, terms: Terms, to: PlanState): string | null {
  const isAgreed = has(to.chainEvents, 'StepRuled') || has(to.chainEvents, 'OfferAccepted')
  if (isAgreed || has(to.chainEvents, 'PlanSealed')) return null
  const splits = to.chainEvents.filter((event) => event.name === 'StepSplit').map((event) => Number(event.step))
  const silencePays = (terms.onSilence & 1) === 1
  for (const [step, code] of before.codes.slice(0, 3).entries()) {
    const bit = 1n << BigInt(step)
    if (code !== codeOf.pending && code !== codeOf.disputed && after.codes[step] !== code) return 'A step has ended twice.'
    if (after.codes[step] !== codeOf.ended || splits.includes(step)) continue
    const isSubmitted = (before.submitted & bit) !== 0n && code === codeOf.pending
    if (isSubmitted && silencePays) return 'Submitted work was taken back.'
    if (isSubmitted && terms.arbitrator !== zeroAddress && to.chain.time < terms.reviewBy)
      return 'Work was taken back while it could be disputed.'
    const isByClient = code === codeOf.disputed && (before.disputedByPayee & bit) === 0n
    if (isByClient && silencePays) return 'A dispute that nobody ruled upon took the work back.'
    if (code === codeOf.disputed && to.chain.time < terms.expiry) return 'A disputed step has ended before anybody could rule.'
  }
  return null
}

/** Who is paid a step whole has its whole amount, by a transfer or as a credit; of a step that the terms split, half. */
function unkept(
  { from, to: { chain, chainEvents: events } }: { from: PlanState; to: PlanState },
  terms: Terms,
  plan: Plan,
  charters: readonly Charter[],
): string | null {
  if (has(events, 'StepSplit') && (terms.onSilence & 4) === 0) return 'A step was split, and the terms split nothing.'
  const settled = events.find((one) => one.name === 'StepsSettled' || one.name === 'StepsDefaulted')
  if (!settled) return null
  const sealed = events.find((one) => one.name === 'PlanSealed')
  const charter = sealed
    ? charters.find((one) => one.charterHash === sealed.charterHash)
    : charterInForce({ ...plan, state: 2 }, charters, terms)
  for (const [step, { payee, amount }] of (charter?.steps ?? []).entries()) {
    const isSettled = ((BigInt(String(settled.bits)) >> BigInt(step)) & 1n) === 1n
    const gained = ownedBy(chain, payee) - ownedBy(from.chain, payee)
    if (isSettled && gained !== amount) return `Step ${step} was settled and not paid whole.`
    const isSplit = events.some((one) => one.name === 'StepSplit' && Number(one.step) === step)
    if (isSplit && gained !== amount / 2n) return `Step ${step} was split and not paid in half.`
  }
  return null
}

const ownedBy = (chain: State, account: keyof State['credits']) =>
  (chain.tokens[who.token]?.balances[account] ?? 0n) + creditOf(chain, who.token, account)
