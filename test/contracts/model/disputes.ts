/** When client and payee do not agree, agree after all, or run out of time. */

import {
  bitOf,
  emitEvent,
  has,
  livePlan,
  noHash,
  payablePlan,
  planId,
  type Run,
  refuse,
  requirePending,
  requireWord,
  silencePays,
  speaksFor,
  stepsWith,
  zeroAddress,
} from './call-context.ts'
import { carryOut, endPending, giveBack, payBySilence } from './payments.ts'
import { type Call, type Charter, codeOf, type Plan, type Terms } from './types.ts'

type CallOf<F extends Call['fn']> = Extract<Call, { fn: F }>

export function dispute(run: Run, { terms, charter, step, evidenceHash, by, signature }: CallOf<'dispute'>): void {
  const { id, plan } = payablePlan(run, terms, charter)
  if (terms.arbitrator === zeroAddress) refuse('NoArbitrator')
  if (run.state.time >= terms.reviewBy) refuse('TooLate')
  const { payee } = stepOf(charter, step)
  requirePending(plan, charter, bitOf(step))
  if (by !== terms.client && !speaksFor(run, by, payee)) refuse('NotParty')
  requireWord(run, by, { type: 'DisputeOpened', planId: id, version: plan.version, step, evidenceHash }, signature)
  plan.codes[step] = codeOf.disputed
  if (by !== terms.client) plan.disputedByPayee |= bitOf(step)
  emitEvent(run, 'StepDisputed', { planId: id, step, by, evidenceHash })
}

export function rule(run: Run, { terms, charter, step, payeeBps, rulingHash, signature }: CallOf<'rule'>): void {
  const { id, plan } = payablePlan(run, terms, charter)
  if (run.state.time >= terms.expiry) refuse('TooLate')
  stepOf(charter, step)
  if (plan.codes[step] !== codeOf.disputed) refuse('StepNotDisputed')
  if (payeeBps > 10_000) refuse('BadShare')
  requireWord(run, terms.arbitrator, { type: 'Ruling', planId: id, version: plan.version, step, payeeBps, rulingHash }, signature)
  emitEvent(run, 'StepRuled', { planId: id, step, payeeBps, rulingHash })
  carryOut(run, id, plan, terms, charter, { bits: bitOf(step), payeeBps, close: false })
}

export function acceptOffer(run: Run, call: CallOf<'acceptOffer'>): void {
  const { terms, charter, step, payeeBps, deadline } = call
  const { id, plan } = payablePlan(run, terms, charter)
  const { payee } = stepOf(charter, step)
  if (plan.codes[step] !== codeOf.disputed) requirePending(plan, charter, bitOf(step))
  if (payeeBps > 10_000) refuse('BadShare')
  if (run.state.time > deadline) refuse('TooLate')
  const message = { type: 'SettlementOffer', planId: id, version: plan.version, step, payeeBps, deadline }
  if (payeeBps > 0) requireWord(run, terms.client, message, call.clientSignature)
  if (payeeBps < 10_000) requireWord(run, payee, message, call.payeeSignature)
  emitEvent(run, 'OfferAccepted', { planId: id, step, payeeBps })
  carryOut(run, id, plan, terms, charter, { bits: bitOf(step), payeeBps, close: false })
}

export function refund(run: Run, terms: Terms): void {
  const id = planId(run, terms)
  const plan = livePlan(run, id)
  if (run.state.time < (plan.noticed ? Math.min(plan.closableFrom, terms.expiry) : terms.expiry)) refuse('TooEarly')
  const disputed = stepsWith(plan, codeOf.disputed)
  if (plan.state !== 0 && owedBySilence(plan, terms) !== 0n) refuse('StepsOwed')
  plan.codes = plan.codes.map((code, i) => (has(disputed, i) ? codeOf.ended : code))
  endPending(plan)
  const rest = plan.remaining
  Object.assign(plan, { remaining: 0n, status: 2, closing: false })
  emitEvent(run, 'PlanClosed', { planId: id })
  giveBack(run, id, terms, rest)
}

export function closeExpired(run: Run, terms: Terms, charter: Charter): void {
  const { id, plan } = payablePlan(run, terms, charter)
  if (run.state.time < terms.expiry) refuse('TooEarly')
  if (!silencePays(terms)) refuse('SilenceRefunds')
  const bits = owedBySilence(plan, terms)
  plan.codes = plan.codes.map((code, i) => (code === codeOf.disputed && !has(bits, i) ? codeOf.ended : code))
  payBySilence(run, id, plan, terms, charter, { bits, close: true, outputsHash: noHash })
}

/** Where silence pays, the team is owed what it submitted, and what the client disputed and no account ruled upon. */
function owedBySilence(plan: Plan, terms: Terms): bigint {
  if (!silencePays(terms)) return 0n
  return (stepsWith(plan, codeOf.disputed) & ~plan.disputedByPayee) | (stepsWith(plan, codeOf.pending) & plan.submitted)
}

function stepOf(charter: Charter, step: number) {
  return charter.steps[step] ?? refuse('StepOutOfRange')
}
