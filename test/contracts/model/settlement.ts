/** Paying steps: because the evaluator signs it, because the client does, or because no party acts. */
import type { Hex } from 'viem'
import {
  emitEvent,
  livePlan,
  noHash,
  payablePlan,
  planId,
  planInForce,
  type Run,
  refuse,
  requireAttested,
  requirePending,
  requireSigned,
  requireWord,
  silencePays,
  silenceSplits,
  stepsWith,
} from './call-context.ts'
import { admit } from './charters.ts'
import { carryOut, payBySilence, splitEach } from './payments.ts'
import { bindCharter, settledCharter } from './typed-data.ts'
import { type Acknowledgement, type Charter, codeOf, type Plan, type SealedSettlement, type Settlement, type Terms } from './types.ts'

export function settle(run: Run, settlement: Settlement): void {
  const { id, plan } = settleable(run, settlement, false)
  requireAttested(run, settlement.terms.evaluator, messageOf('Attestation', id, settlement), settlement.signature)
  conclude(run, id, plan, settlement)
}

export function settleHalf(run: Run, settlement: Settlement): void {
  const { terms, charter, bits, close, conclusionHash } = settlement
  if (!silenceSplits(terms)) refuse('SilenceSplitsNothing')
  const { id, plan } = settleable(run, settlement, false)
  requireAttested(run, terms.evaluator, messageOf('HalfAttestation', id, settlement), settlement.signature)
  emitEvent(run, 'StepsSettled', { planId: id, bits: 0n, conclusionHash })
  splitEach(run, id, plan, terms, charter, { bits, close })
}

export function sealAndSettle(run: Run, { sealing, bits, close, conclusionHash, signature }: SealedSettlement): void {
  const { terms, charter } = sealing
  const id = planId(run, terms)
  const plan = livePlan(run, id)
  if (plan.state === 2 && plan.version === sealing.version) {
    planInForce(run, terms, charter)
  } else {
    admit(run, id, plan, sealing, null)
    if (sealing.proposed) refuse('ProposalRefused')
    if (!close) plan.charter = bindCharter(charter)
  }
  requirePending(plan, charter, bits)
  const settlement = { terms, charter, bits, close, conclusionHash, signature }
  requireAttested(run, terms.evaluator, messageOf('Attestation', id, settlement), signature)
  conclude(run, id, plan, settlement)
}

export function release(run: Run, settlement: Settlement): void {
  const { id, plan } = settleable(run, settlement, true)
  requireWord(run, settlement.terms.client, messageOf('Release', id, settlement), settlement.signature)
  const sealed = 2n ** BigInt(settlement.charter.steps.length) - 1n
  const owed = stepsWith(plan, codeOf.pending) & ~settlement.bits & sealed
  if (settlement.close && owed !== 0n) refuse('StepsOwed')
  conclude(run, id, plan, settlement)
}

export function settleOnSilence(run: Run, terms: Terms, charter: Charter, bits: bigint, given: Acknowledgement): void {
  const { id, plan } = payablePlan(run, terms, charter)
  if (!silencePays(terms)) refuse('SilenceRefunds')
  if (run.state.time < terms.reviewBy) refuse('TooEarly')
  if (bits === 0n) refuse('NothingToSettle')
  requirePending(plan, charter, bits)
  const missing = bits & ~plan.submitted
  if ((missing & ~given.bits) !== 0n) refuse('NotSubmitted')
  if (missing !== 0n) {
    if (given.receivedAt > terms.workBy) refuse('TooLate')
    const { bits: received, outputsHash, receivedAt } = given
    const message = { type: 'Submission', planId: id, charter: settledCharter(charter), bits: received, outputsHash, receivedAt }
    requireSigned(run, terms.evaluator, message, given.signature)
  }
  const outputsHash = missing === 0n ? noHash : given.outputsHash
  payBySilence(run, id, plan, terms, charter, { bits, close: false, outputsHash })
}

function settleable(run: Run, { terms, charter, bits, close }: Settlement, owes: boolean): { id: Hex; plan: Plan } {
  if (bits === 0n && !close) refuse('NothingToSettle')
  const id = planId(run, terms)
  if (bits === 0n && charter.steps.length === 0 && !owes) {
    const plan = livePlan(run, id)
    if (plan.state === 0) return { id, plan }
  }
  const { plan } = payablePlan(run, terms, charter)
  requirePending(plan, charter, bits)
  return { id, plan }
}

function messageOf(type: 'Attestation' | 'HalfAttestation' | 'Release', id: Hex, { charter, bits, close, conclusionHash }: Settlement) {
  return { type, planId: id, charter: settledCharter(charter), bits, close, conclusionHash }
}

function conclude(run: Run, id: Hex, plan: Plan, { terms, charter, bits, close, conclusionHash }: Settlement): void {
  emitEvent(run, 'StepsSettled', { planId: id, bits, conclusionHash })
  carryOut(run, id, plan, terms, charter, { bits, payeeBps: 10_000, close })
}
