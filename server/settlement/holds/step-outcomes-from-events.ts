import type { EscrowEvent } from '../../ports.ts'
import { hasStep } from './hold.ts'

type Payable = { readonly step: number; readonly payee: string; readonly amount: bigint }
/**
 * `amount`: sent to the payee, or credited if the token refused the transfer, after royalties. `split`: a part of the step was
 * paid, by ruling, by agreement or by the terms. `refunded`: nothing was paid, by ruling or agreement.
 */
export type SettledStep = { readonly step: number; readonly outcome: 'paid' | 'credited' | 'split' | 'refunded'; readonly amount: bigint }

const wholeNames = new Set(['StepsSettled', 'StepsDefaulted'])
const splitNames = new Set(['StepSplit', 'StepRuled', 'OfferAccepted'])
const everything = 10_000n

/** Bits of the steps that were paid in full, by settlement or by default. */
export function settledStepBits(events: readonly EscrowEvent[]): bigint {
  return events.filter((event) => wholeNames.has(event.name)).reduce((bits, event) => bits | BigInt(String(event.args.bits)), 0n)
}

/** Decodes a split: step number and the payee's share in basis points. */
export function decodeSplit(event: EscrowEvent): { readonly step: number; readonly payeeBps: number } | null {
  if (!splitNames.has(event.name)) return null
  return { step: Number(event.args.step) + 1, payeeBps: Number(event.args.payeeBps) }
}

/**
 * Decodes which steps one transaction paid, and whether the token accepted each transfer. A transfer belongs to the preceding
 * event that names steps. The escrow merges adjacent steps of one payee into one transfer and skips empty ones. This decoder
 * repeats that order.
 */
export function stepOutcomesFromEvents(steps: readonly Payable[], events: readonly EscrowEvent[]): SettledStep[] {
  const sections: EscrowEvent[][] = []
  for (const event of events) {
    if (wholeNames.has(event.name) || splitNames.has(event.name)) sections.push([event])
    else sections.at(-1)?.push(event)
  }
  return sections.flatMap((section) => decodeSection(steps, section))
}

function decodeSection(steps: readonly Payable[], [naming, ...events]: readonly EscrowEvent[]): SettledStep[] {
  if (!naming) return []
  const split = decodeSplit(naming)
  const bps = BigInt(split?.payeeBps ?? everything)
  const bits = split ? 1n << BigInt(split.step - 1) : BigInt(String(naming.args.bits))
  const chosen = [...steps].sort((a, b) => a.step - b.step).filter((step) => hasStep(bits, step.step))
  const transfers = events.filter((event) => event.name === 'Paid' || event.name === 'Credited')
  const sent = (step: Payable) => (step.amount * bps) / everything - royaltiesOn(step.step, events)
  const settled: SettledStep[] = []
  let next = 0
  for (const run of groupByPayee(chosen)) {
    const sum = run.reduce((total, step) => total + sent(step), 0n)
    // The escrow sends no transfer for a run with zero amount.
    const isCredited = sum > 0n && transfers[next++]?.name === 'Credited'
    const outcome = bps === 0n ? 'refunded' : bps < everything ? 'split' : isCredited ? 'credited' : 'paid'
    for (const step of run) settled.push({ step: step.step, outcome, amount: sent(step) })
  }
  return settled
}

function royaltiesOn(step: number, events: readonly EscrowEvent[]): bigint {
  return events
    .filter((event) => event.name === 'RoyaltyCredited' && Number(event.args.step) === step - 1)
    .reduce((sum, event) => sum + BigInt(String(event.args.amount)), 0n)
}

function groupByPayee(chosen: readonly Payable[]): Payable[][] {
  const runs: Payable[][] = []
  for (const step of chosen) {
    const run = runs.at(-1)
    if (run && run[0]?.payee === step.payee) run.push(step)
    else runs.push([step])
  }
  return runs
}
