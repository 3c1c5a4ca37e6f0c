/** How money goes out of a plan: to payees, upstream agents, the fee's taker, and back to the client. */
import type { Address, Hex } from 'viem'
import { addCredit, bitOf, emitEvent, fee, has, places, type Run, share, silencePays, silenceSplits, stepsWith } from './call-context.ts'
import { push } from './tokens.ts'
import { type Charter, codeOf, type Plan, type Terms } from './types.ts'

type Ending = { bits: bigint; payeeBps: number; close: boolean }

/** Ends the steps of `bits` by paying `payeeBps` of each; the caller has checked that they may end so. */
export function carryOut(run: Run, id: Hex, plan: Plan, terms: Terms, charter: Charter, ending: Ending): void {
  const { bits, payeeBps, close } = ending
  const chosen = places.filter((i) => has(bits, i))
  const pays = chosen.map((i) => ({ step: i, payee: payeeOf(charter, i), amount: share(amountOf(charter, i), payeeBps) }))
  const owed = feeOf(plan, terms, charter, bits, payeeBps)
  plan.remaining -= pays.reduce((sum, pay) => sum + pay.amount, 0n) + owed
  for (const i of chosen) plan.codes[i] = payeeBps === 10_000 ? codeOf.paid : codeOf.ended

  if (owed > 0n) {
    addCredit(run, terms.token, terms.feeTo, owed)
    emitEvent(run, 'FeeCredited', { planId: id, token: terms.token, feeTo: terms.feeTo, amount: owed })
  }
  const back = close || plan.closing ? end(run, id, plan, terms, charter) : 0n
  for (const royalty of charter.royalties) {
    const pay = pays.find((one) => one.step === royalty.step)
    const amount = pay ? share(share(amountOf(charter, royalty.step), payeeBps), royalty.bps) : 0n
    if (!pay || amount === 0n) continue
    pay.amount -= amount
    addCredit(run, terms.token, royalty.to, amount)
    emitEvent(run, 'RoyaltyCredited', { planId: id, token: terms.token, to: royalty.to, step: royalty.step, amount })
  }
  for (const together of runsOf(pays)) {
    if (together.amount > 0n && send(run, id, terms.token, together.payee, together.amount))
      emitEvent(run, 'Paid', { planId: id, ...together })
  }
  giveBack(run, id, terms, back)
}

type Silence = { bits: bigint; close: boolean; outputsHash: Hex }

/** Pays what silence gives: all steps whole, or half of each. */
export function payBySilence(run: Run, id: Hex, plan: Plan, terms: Terms, charter: Charter, given: Silence): void {
  const { bits, close, outputsHash } = given
  emitEvent(run, 'StepsDefaulted', { planId: id, bits: silenceSplits(terms) ? 0n : bits, outputsHash })
  if (silenceSplits(terms)) splitEach(run, id, plan, terms, charter, { bits, close })
  else carryOut(run, id, plan, terms, charter, { bits, payeeBps: 10_000, close })
}

/** Pays half of each step, one after the other. */
export function splitEach(run: Run, id: Hex, plan: Plan, terms: Terms, charter: Charter, ending: { bits: bigint; close: boolean }): void {
  for (const step of places.filter((i) => has(ending.bits, i))) {
    emitEvent(run, 'StepSplit', { planId: id, step, payeeBps: 5_000 })
    carryOut(run, id, plan, terms, charter, { bits: bitOf(step), payeeBps: 5_000, close: false })
  }
  if (ending.close && plan.status !== 2) carryOut(run, id, plan, terms, charter, { bits: 0n, payeeBps: 10_000, close: true })
}

export function giveBack(run: Run, id: Hex, terms: Terms, amount: bigint): void {
  if (amount > 0n && send(run, id, terms.token, terms.client, amount))
    emitEvent(run, 'Refunded', { planId: id, client: terms.client, amount })
}

export function endPending(plan: Plan, kept = 0n): void {
  plan.codes = plan.codes.map((code, i) => (code === codeOf.pending && !has(kept, i) ? codeOf.ended : code))
}

/** The pending steps that were submitted, and that no closing ends while silence has not decided. */
function inReview(run: Run, plan: Plan, terms: Terms, charter: Charter): bigint {
  if (!silencePays(terms) && run.state.time >= terms.reviewBy) return 0n
  return plan.submitted & stepsWith(plan, codeOf.pending) & (2n ** BigInt(charter.steps.length) - 1n)
}

/** Ends what is pending; answers what no step left open needs. */
function end(run: Run, id: Hex, plan: Plan, terms: Terms, charter: Charter): bigint {
  const reviewed = inReview(run, plan, terms, charter)
  endPending(plan, reviewed)
  const open = reviewed | stepsWith(plan, codeOf.disputed)
  const kept = places.filter((i) => has(open, i)).reduce((sum, i) => sum + amountOf(charter, i), 0n)
  const all = kept + feeOf(plan, terms, charter, open, 10_000)
  const back = plan.remaining - all
  plan.remaining = all
  plan.closing = open !== 0n
  if (!plan.closing) plan.status = 2
  if (plan.closing) emitEvent(run, 'PlanClosing', { planId: id, bits: open })
  else emitEvent(run, 'PlanClosed', { planId: id })
  return back
}

/** The fee on all steps paid whole is one fee on their sum; a split bears its own. */
function feeOf(plan: Plan, terms: Terms, charter: Charter, bits: bigint, payeeBps: number): bigint {
  const sum = (of: bigint) => places.filter((i) => has(of, i)).reduce((all, i) => all + share(amountOf(charter, i), payeeBps), 0n)
  if (payeeBps !== 10_000) return fee(sum(bits), terms.feeBps)
  const paid = sum(stepsWith(plan, codeOf.paid))
  return fee(paid + sum(bits), terms.feeBps) - fee(paid, terms.feeBps)
}

function send(run: Run, id: Hex, token: Address, to: Address, amount: bigint): boolean {
  if (push(run, token, to, amount)) return true
  addCredit(run, token, to, amount)
  emitEvent(run, 'Credited', { planId: id, token, account: to, amount })
  return false
}

/** Adjacent payments of one payee are one transfer. */
function runsOf(pays: readonly { payee: Address; amount: bigint }[]): { payee: Address; amount: bigint }[] {
  const runs: { payee: Address; amount: bigint }[] = []
  for (const { payee, amount } of pays) {
    const last = runs.at(-1)
    if (last?.payee === payee) last.amount += amount
    else runs.push({ payee, amount })
  }
  return runs
}

const amountOf = (charter: Charter, step: number) => charter.steps[step]?.amount ?? 0n
const payeeOf = (charter: Charter, step: number) => charter.steps[step]?.payee as Address
