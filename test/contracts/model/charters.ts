/** Who is in the team, who signed for it, what the client refused, and what was handed in. */
import type { Address, Hex } from 'viem'
import {
  emitEvent,
  livePlan,
  noHash,
  planId,
  planInForce,
  type Run,
  refuse,
  requireClientSide,
  requirePending,
  requireSigned,
  requireSound,
  requireWord,
  speaksFor,
  stepsWith,
} from './call-context.ts'
import { bindCharter, hashCharter } from './typed-data.ts'
import { type Call, type Charter, codeOf, type Message, type Plan, type Sealing, type Terms } from './types.ts'

type CallOf<F extends Call['fn']> = Extract<Call, { fn: F }>
const noticeSeconds = 86_400

export function seal(run: Run, sealing: Sealing): void {
  const id = planId(run, sealing.terms)
  const plan = livePlan(run, id)
  admit(run, id, plan, sealing, null)
  plan.charter = bindCharter(sealing.charter)
}

export function reseal(run: Run, sealing: Sealing, replaced: Charter): void {
  const { id, plan } = planInForce(run, sealing.terms, replaced)
  admit(run, id, plan, sealing, replaced)
  plan.charter = bindCharter(sealing.charter)
}

export function veto(run: Run, { terms, version, signature }: CallOf<'veto'>): void {
  const id = planId(run, terms)
  const plan = livePlan(run, id)
  if (plan.state === 0 || version !== plan.version) refuse('StaleVersion')
  if (plan.state === 2) refuse('CharterAuthorized')
  if (run.state.time >= plan.payableFrom) refuse('TooLate')
  requireClientSide(run, terms, { type: 'CharterVeto', planId: id, version }, signature)
  const nothing = { submitted: 0n, disputedByPayee: 0n, payableFrom: 0, closableFrom: 0 }
  Object.assign(plan, { state: 0, vetoed: true, charter: noHash, ...nothing })
  emitEvent(run, 'CharterVetoed', { planId: id, version })
}

export function requestClose(run: Run, { terms, signature }: CallOf<'requestClose'>): void {
  const id = planId(run, terms)
  const plan = livePlan(run, id)
  if (plan.state !== 0) refuse('CharterAgreed')
  if (plan.noticed) refuse('CloseAlreadyRequested')
  requireClientSide(run, terms, { type: 'CloseRequest', planId: id, version: plan.version }, signature)
  Object.assign(plan, { noticed: true, closableFrom: run.state.time + noticeSeconds })
  emitEvent(run, 'CloseRequested', { planId: id, closableFrom: plan.closableFrom })
}

export function submit(run: Run, { terms, charter, bits, outputsHash, by, signature }: CallOf<'submit'>): void {
  const { id, plan } = planInForce(run, terms, charter)
  if (run.state.time > terms.workBy) refuse('TooLate')
  if (bits === 0n) refuse('NothingToSettle')
  requirePending(plan, charter, bits)
  const isParty = charter.steps.every((step, i) => ((bits >> BigInt(i)) & 1n) === 0n || speaksFor(run, by, step.payee))
  if (!isParty) refuse('NotParty')
  requireWord(run, by, { type: 'StepSubmission', planId: id, version: plan.version, bits, outputsHash }, signature)
  if ((plan.submitted & bits) !== 0n) refuse('StepsHandedIn')
  plan.submitted |= bits
  emitEvent(run, 'StepsSubmitted', { planId: id, bits, outputsHash })
}

/** Checks a charter and puts it in force, but for the plan's memory of which one it is. */
export function admit(run: Run, id: Hex, plan: Plan, sealing: Sealing, replaced: Charter | null): void {
  const { terms, version, charter, proposed } = sealing
  if (terms.charter !== noHash) refuse('CharterFixed')
  if (run.state.time >= terms.expiry) refuse('TooLate')
  const payableFrom = proposed ? endOfVeto(run, terms) : 0
  const words = { planId: id, version, ...hashCharter(charter) }
  const isInForce = plan.state !== 0 && version === plan.version && plan.charter === bindCharter(charter)
  if (isInForce) {
    if (proposed || plan.state === 2) refuse('StaleVersion')
  } else {
    requireReplaceable(run, plan, sealing, replaced !== null)
    requireSound(run, terms, charter)
    requireSigned(run, terms.evaluator, { type: 'Charter', ...words }, sealing.evaluatorSignature)
    requireMembers(run, { type: 'Charter', ...words }, sealing, replaced)
  }
  if (proposed) {
    plan.payableFrom = payableFrom
  } else {
    requireClientSide(run, terms, { type: 'CharterAuthorization', ...words }, sealing.signature)
  }
  Object.assign(plan, { version, state: proposed ? 1 : 2, noticed: false })
  emitEvent(run, 'PlanSealed', { ...words, payableFrom })
}

function endOfVeto(run: Run, terms: Terms): number {
  if (terms.vetoSeconds === 0) refuse('ProposalRefused')
  const from = run.state.time + terms.vetoSeconds
  if (from >= terms.expiry) refuse('TooLate')
  return from
}

function requireReplaceable(run: Run, plan: Plan, { terms, version, proposed }: Sealing, areMembersAsked: boolean): void {
  if (proposed && (plan.vetoed || plan.noticed)) refuse('ProposalRefused')
  if (proposed && plan.state === 2) refuse('CharterAuthorized')
  if (stepsWith(plan, codeOf.pending) !== 2n ** 64n - 1n) refuse('StepsTouched')
  const isBinding = plan.state === 2 || (plan.state === 1 && run.state.time >= plan.payableFrom)
  if (!isBinding && !proposed) {
    if (version === 0) refuse('StaleVersion')
    if (plan.state === 1) plan.submitted = 0n
    return
  }
  if (version <= plan.version) refuse('StaleVersion')
  if (plan.state === 0) return
  if (plan.submitted !== 0n) refuse('StepsHandedIn')
  if (!areMembersAsked && (terms.onSilence & 2) === 0) refuse('CharterAgreed')
}

/** Whose word a charter needs, each once: who is paid by it, then who was paid by the one before. */
export function membersOf(charter: Charter, replaced: Charter | null): Address[] {
  return [...new Set([...charter.steps, ...(replaced?.steps ?? [])].map((step) => step.payee))]
}

const sumFor = (charter: Charter | null, payee: Address): bigint =>
  (charter?.steps ?? []).reduce((sum, step) => (step.payee === payee ? sum + step.amount : sum), 0n)

function requireMembers(run: Run, message: Message, sealing: Sealing, replaced: Charter | null): void {
  const members = membersOf(sealing.charter, replaced)
  for (const [i, payee] of members.entries()) {
    const member = sealing.memberSignatures[i]
    if (!member) refuse('BadMemberCount')
    const joins = sealing.charter.steps.some((step) => step.payee === payee)
    const losesNothing = sumFor(sealing.charter, payee) >= sumFor(replaced, payee)
    if (joins && member.signature === null && losesNothing) continue
    if (!speaksFor(run, member.signer, payee)) refuse('NotSigner')
    requireSigned(run, member.signer, message, member.signature)
  }
  if (sealing.memberSignatures.length !== members.length) refuse('BadMemberCount')
}
