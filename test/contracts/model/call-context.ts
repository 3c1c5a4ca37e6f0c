/** One call in flight through the model: the state it may change, the events it emitted, and the checks of every call. */
import type { Address, Hex } from 'viem'
import { bindCharter, planIdOf } from './typed-data.ts'
import {
  type ChainEvent,
  type Charter,
  codeOf,
  type Message,
  type Plan,
  Refusal,
  type Signature,
  type State,
  type Step,
  type Terms,
} from './types.ts'

/** What the evaluator said of one item of a batch, by its signature for all of it. */
export type Attested = { of: Address; signedMessage: Message } | null
export type Run = { state: State; from: Address; events: ChainEvent[]; attested: Attested }

export const bps = 10_000n
export const noHash: Hex = `0x${'0'.repeat(64)}`
export const zeroAddress: Address = `0x${'0'.repeat(40)}`
export const places = Array.from({ length: 64 }, (_, i) => i)

export function refuse(error: string): never {
  throw new Refusal(error)
}

export function emitEvent(run: Run, name: string, facts: Omit<ChainEvent, 'name'>): void {
  run.events.push({ name, ...facts })
}

export const bitOf = (i: number) => 1n << BigInt(i)
export const has = (bits: bigint, i: number) => (bits & bitOf(i)) !== 0n
export const fee = (amount: bigint, feeBps: number) => (amount * BigInt(feeBps)) / bps
export const share = (amount: bigint, payeeBps: number) => (amount * BigInt(payeeBps)) / bps
export const silencePays = (terms: Terms) => (terms.onSilence & 1) === 1
export const silenceSplits = (terms: Terms) => (terms.onSilence & 4) === 4
export const stepsWith = (plan: Plan, code: number) => plan.codes.reduce((bits, each, i) => (each === code ? bits | bitOf(i) : bits), 0n)

export const planId = (run: Run, terms: Terms) => planIdOf(run.state.escrow, terms)

export function livePlan(run: Run, id: Hex): Plan {
  const plan = run.state.plans[id]
  if (!plan) return refuse('NotFunded')
  if (plan.status === 2) return refuse('AlreadyClosed')
  return plan
}

/** The plan, once it is sure that `charter` is the one in force. */
export function planInForce(run: Run, terms: Terms, charter: Charter): { id: Hex; plan: Plan } {
  const id = planId(run, terms)
  const plan = livePlan(run, id)
  if (plan.state === 0) refuse('NotSealed')
  if (terms.charter !== noHash) requireSound(run, terms, charter)
  const expected = terms.charter === noHash ? plan.charter : terms.charter
  if (bindCharter(charter) !== expected) refuse('CharterMismatch')
  return { id, plan }
}

/** As {@link planInForce}, once money may move by the charter: not within the veto window of a proposal. */
export function payablePlan(run: Run, terms: Terms, charter: Charter): { id: Hex; plan: Plan } {
  const { id, plan } = planInForce(run, terms, charter)
  if (plan.state !== 2 && run.state.time < plan.payableFrom) refuse('TooEarly')
  return { id, plan }
}

export function requirePending(plan: Plan, charter: Charter, bits: bigint): void {
  if (bits >> BigInt(charter.steps.length) !== 0n) refuse('StepOutOfRange')
  if ((bits & ~stepsWith(plan, codeOf.pending)) !== 0n) refuse('StepNotPending')
}

export function requireSound(run: Run, terms: Terms, charter: Charter): void {
  const { steps, royalties } = charter
  if (steps.length === 0 || steps.length > 64) refuse('BadStepCount')
  const mayBePaid = (who: Address) => ![zeroAddress, run.state.escrow, terms.evaluator, terms.arbitrator].includes(who)
  if (steps.some((step) => !mayBePaid(step.payee))) refuse('BadPayee')
  const sum = sumNumbers(steps)
  if (sum + fee(sum, terms.feeBps) > terms.total) refuse('OverAllocated')
  if (royalties.length > 64) refuse('BadRoyalty')
  for (const [i, royalty] of royalties.entries()) {
    const before = royalties.slice(0, i).filter((other) => other.step === royalty.step)
    const together = before.reduce((all, other) => all + other.bps, royalty.bps)
    const isInOrder = i === 0 || (royalties[i - 1]?.step ?? 0) <= royalty.step
    if (!isInOrder || royalty.step >= steps.length || together > 5000) refuse('BadRoyalty')
    if (!mayBePaid(royalty.to)) refuse('BadPayee')
  }
}

export const sumNumbers = (steps: readonly Step[]) => steps.reduce((sum, step) => sum + step.amount, 0n)

/** By its call, or by its signature. */
export function requireWord(run: Run, who: Address, message: Message, signature: Signature): void {
  if (signature !== null || run.from !== who) requireSigned(run, who, message, signature)
}

/** As above, or by the batch that this is an item of. */
export function requireAttested(run: Run, who: Address, message: Message, signature: Signature): void {
  const { attested } = run
  if (signature === null && attested?.of === who && textOf(attested.signedMessage) === textOf(message)) return
  requireWord(run, who, message, signature)
}

/** By the client, or by its authorizer, which signs as a key only. */
export function requireClientSide(run: Run, { client, authorizer }: Terms, message: Message, signature: Signature): void {
  if (authorizer !== zeroAddress) {
    if (signature === null && run.from === authorizer) return
    if (signature?.by === authorizer && isSignedBy(run.state, authorizer, message, signature)) return
  }
  requireWord(run, client, message, signature)
}

export function requireSigned(run: Run, who: Address, message: Message, signature: Signature): void {
  if (!isSignedBy(run.state, who, message, signature)) refuse('BadSignature')
}

export function isSignedBy(state: State, who: Address, message: Message, signature: Signature): boolean {
  return signature !== null && textOf(signature.signedMessage) === textOf(message) && isKeyOf(state, who, signature.by)
}

/** Whether what `by` signs is signed by `who`. */
export function isKeyOf(state: State, who: Address, by: Address): boolean {
  return by !== zeroAddress && (by === who || state.wallets[who] === by)
}

/** One text for one message, independent of the order of its fields. */
function textOf(message: Message): string {
  return JSON.stringify(
    Object.entries(message)
      .map(([name, value]) => [name, String(value)])
      .sort(),
  )
}

export function speaksFor(run: Run, who: Address, payee: Address): boolean {
  return who === payee || run.state.signers[`${payee} ${who}`] === true
}

export const creditOf = (state: State, token: Address, account: Address) => state.credits[token]?.[account] ?? 0n

export function addCredit(run: Run, token: Address, account: Address, amount: bigint): void {
  run.state.credits[token] ??= {}
  run.state.credits[token][account] = creditOf(run.state, token, account) + amount
}

/** The nonce of this use; the next one is another. */
export function takeNonce(run: Run, account: Address): bigint {
  const nonce = run.state.nonces[account] ?? 0n
  run.state.nonces[account] = nonce + 1n
  return nonce
}
