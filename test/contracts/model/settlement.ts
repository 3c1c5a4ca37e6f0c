/** Paying steps: because the evaluator says so, because the client does, or because nobody says anything. */
import type { Hex } from 'viem'
import { carryOut } from './payments.ts'
import {
  livePlan,
  noHash,
  planId,
  planInForce,
  type Run,
  refuse,
  requirePending,
  requireSigned,
  requireWord,
  silencePays,
  stepsWith,
  tell,
} from './run.ts'
import { type Acknowledgement, type Charter, codeOf, type Plan, type Settlement, type Terms } from './types.ts'

export function settle(run: Run, settlement: Settlement): void {
  const { id, plan } = settleable(run, settlement)
  requireWord(run, settlement.terms.evaluator, messageOf('Attestation', id, plan, settlement), settlement.signature)
  conclude(run, id, plan, settlement)
}

export function release(run: Run, settlement: Settlement): void {
  const { id, plan } = settleable(run, settlement)
  requireWord(run, settlement.terms.client, messageOf('Release', id, plan, settlement), settlement.signature)
  const sealed = 2n ** BigInt(settlement.charter.steps.length) - 1n
  const owed = stepsWith(plan, codeOf.pending) & ~settlement.bits & sealed
  if (settlement.close && owed !== 0n) refuse('StepsOwed')
  conclude(run, id, plan, settlement)
}

export function settleOnSilence(run: Run, terms: Terms, charter: Charter, bits: bigint, given: Acknowledgement): void {
  const { id, plan } = planInForce(run, terms, charter)
  if (!silencePays(terms)) refuse('SilenceRefunds')
  if (run.state.time < terms.reviewBy) refuse('TooEarly')
  if (bits === 0n) refuse('NothingToSettle')
  requirePending(plan, charter, bits)
  const missing = bits & ~plan.submitted
  if ((missing & ~given.bits) !== 0n) refuse('NotSubmitted')
  if (missing !== 0n) {
    if (given.receivedAt > terms.workBy) refuse('TooLate')
    const { bits: received, outputsHash, receivedAt } = given
    const message = { type: 'Submission', planId: id, version: plan.version, bits: received, outputsHash, receivedAt }
    requireSigned(run, terms.evaluator, message, given.signature)
  }
  tell(run, 'StepsDefaulted', { planId: id, bits, outputsHash: missing === 0n ? noHash : given.outputsHash })
  carryOut(run, id, plan, terms, charter, { bits, payeeBps: 10_000, close: false })
}

function settleable(run: Run, { terms, charter, bits, close }: Settlement): { id: Hex; plan: Plan } {
  if (bits === 0n && !close) refuse('NothingToSettle')
  const id = planId(run, terms)
  if (bits === 0n && charter.steps.length === 0) {
    const plan = livePlan(run, id)
    if (terms.charter === noHash && plan.version === 0) return { id, plan }
  }
  const { plan } = planInForce(run, terms, charter)
  requirePending(plan, charter, bits)
  return { id, plan }
}

function messageOf(type: 'Attestation' | 'Release', id: Hex, plan: Plan, { bits, close, conclusionHash }: Settlement) {
  return { type, planId: id, version: plan.version, bits, close, conclusionHash }
}

function conclude(run: Run, id: Hex, plan: Plan, { terms, charter, bits, close, conclusionHash }: Settlement): void {
  tell(run, 'StepsSettled', { planId: id, bits, conclusionHash })
  carryOut(run, id, plan, terms, charter, { bits, payeeBps: 10_000, close })
}
