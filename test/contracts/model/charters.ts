/** Who is in the team, who signed for it, and what it handed in. */
import type { Address, Hex } from 'viem'
import {
  livePlan,
  noHash,
  planId,
  planInForce,
  type Run,
  refuse,
  requirePending,
  requireSigned,
  requireSound,
  speaksFor,
  stepsWith,
  tell,
} from './run.ts'
import { bindCharter, hashCharter } from './typed-data.ts'
import { type Charter, codeOf, type Message, type Plan, type Sealing, type Terms } from './types.ts'

export function seal(run: Run, sealing: Sealing): void {
  const id = planId(run, sealing.terms)
  const plan = livePlan(run, id)
  const replacesSilent = (sealing.terms.onSilence & 2) !== 0 && sealing.memberSignatures.length > 0
  if (plan.agreed && !replacesSilent) refuse('CharterAgreed')
  sealOver(run, id, plan, sealing, null)
}

export function sealMany(run: Run, sealings: readonly Sealing[]): void {
  for (const sealing of sealings) {
    const plan = run.state.plans[planId(run, sealing.terms)]
    const isThere = plan?.charter === bindCharter(sealing.charter) && plan.version === sealing.version
    const isAsAgreed = plan?.agreed || sealing.memberSignatures.length === 0
    if (!isThere || !isAsAgreed) seal(run, sealing)
  }
}

export function reseal(run: Run, sealing: Sealing, replaced: Charter): void {
  const { id, plan } = planInForce(run, sealing.terms, replaced)
  sealOver(run, id, plan, sealing, replaced)
}

export function submit(run: Run, terms: Terms, charter: Charter, bits: bigint, outputsHash: Hex): void {
  const { id, plan } = planInForce(run, terms, charter)
  if (run.state.time > terms.workBy) refuse('TooLate')
  if (bits === 0n) refuse('NothingToSettle')
  requirePending(plan, charter, bits)
  const isParty = charter.steps.every((step, i) => ((bits >> BigInt(i)) & 1n) === 0n || speaksFor(run, run.from, step.payee))
  if (!isParty) refuse('NotParty')
  plan.submitted |= bits
  tell(run, 'StepsSubmitted', { planId: id, bits, outputsHash })
}

function sealOver(run: Run, id: Hex, plan: Plan, sealing: Sealing, replaced: Charter | null): void {
  const { terms, version, charter } = sealing
  if (terms.charter !== noHash) refuse('CharterFixed')
  if (run.state.time >= terms.expiry) refuse('TooLate')
  const agreed = replaced !== null || sealing.memberSignatures.length > 0
  const isOnlyAgreed = agreed && !plan.agreed && version === plan.version && plan.charter === bindCharter(charter)
  if (!isOnlyAgreed) requireReplaceable(plan, version)

  requireSound(run, terms, charter)
  const message: Message = { type: 'Charter', planId: id, version, ...hashCharter(charter) }
  requireSigned(run, terms.evaluator, message, sealing.evaluatorSignature)
  if (agreed) requireMembers(run, message, membersOf(terms, charter, replaced, plan), sealing)

  Object.assign(plan, { version, agreed, charter: bindCharter(charter) })
  tell(run, 'PlanSealed', { planId: id, version, ...hashCharter(charter), agreed })
}

function requireReplaceable(plan: Plan, version: number): void {
  if (version <= plan.version) refuse('StaleVersion')
  if (stepsWith(plan, codeOf.pending) !== 2n ** 64n - 1n) refuse('StepsTouched')
  if (plan.submitted !== 0n) refuse('StepsHandedIn')
}

/** Whose word a charter needs, each once: who is paid by it, then who was paid by the one before. */
export function membersOf(_terms: Terms, charter: Charter, replaced: Charter | null, _plan: Plan): Address[] {
  return [...new Set([...charter.steps, ...(replaced?.steps ?? [])].map((step) => step.payee))]
}

function requireMembers(run: Run, message: Message, members: readonly Address[], sealing: Sealing): void {
  for (const [i, payee] of members.entries()) {
    const member = sealing.memberSignatures[i]
    if (!member) refuse('BadMemberCount')
    if (!speaksFor(run, member.signer, payee)) refuse('NotSigner')
    requireSigned(run, member.signer, message, member.signature)
  }
  if (sealing.memberSignatures.length !== members.length) refuse('BadMemberCount')
}
