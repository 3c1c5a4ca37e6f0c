import type { EscrowEvent } from '../ports.ts'
import { hasStep } from './hold.ts'

type Payable = { readonly step: number; readonly payee: string; readonly amount: bigint }
export type SettledStep = { readonly step: number; readonly outcome: 'paid' | 'credited' }

const payingNames = new Set(['StepsSettled', 'StepsDefaulted'])

/** The steps that became paid whole: concluded, or passed over in silence. */
export function settledBits(events: readonly EscrowEvent[]): bigint {
  return events.filter((event) => payingNames.has(event.name)).reduce((bits, event) => bits | BigInt(String(event.args.bits)), 0n)
}

/**
 * Which steps one transaction paid, and whether the token took each payment. The escrow merges neighbouring steps of one
 * payee into one transfer, in order, and leaves out empty ones: the log is read back in the same order.
 */
export function settledSteps(steps: readonly Payable[], events: readonly EscrowEvent[]): SettledStep[] {
  const bits = settledBits(events)
  const chosen = [...steps].sort((a, b) => a.step - b.step).filter((step) => hasStep(bits, step.step))
  const transfers = events.filter((event) => event.name === 'Paid' || event.name === 'Credited')
  const settled: SettledStep[] = []
  let next = 0
  for (const run of runsOf(chosen)) {
    const sum = run.reduce((total, step) => total + step.amount, 0n)
    // Nothing is transferred for a run that costs nothing: naming it in `bits` is all there is.
    const outcome = sum > 0n && transfers[next++]?.name === 'Credited' ? 'credited' : 'paid'
    for (const { step } of run) settled.push({ step, outcome })
  }
  return settled
}

function runsOf(chosen: readonly Payable[]): Payable[][] {
  const runs: Payable[][] = []
  for (const step of chosen) {
    const run = runs.at(-1)
    if (run && run[0]?.payee === step.payee) run.push(step)
    else runs.push([step])
  }
  return runs
}
