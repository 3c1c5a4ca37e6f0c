import { canonicalize, type Json } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { listPossiblyBindingCharters } from '../../settlement/index.ts'
import { teamContested } from '../errors.ts'
import type { StepView } from './step-store.ts'

/**
 * Refuses to assign or conclude a step whose pay could still change. A charter that was sent and then rejected is public, and could still
 * be recorded on chain. Recording the next version excludes that.
 * @throws team.contested
 */
export async function requireUnchangeableStepPay(tx: Context, input: { goalId: string; steps: readonly StepView[] }): Promise<void> {
  for (const { version, steps } of await listPossiblyBindingCharters(tx, input.goalId)) {
    const contested = input.steps.find((step) => payKey(steps.find((one) => one.step === step.step)) !== payKey(step))
    if (contested) throw teamContested(contested.step, version)
  }
}

type StepPay = {
  readonly payee: string
  readonly amount: bigint
  readonly royalties?: readonly { readonly to: string; readonly bps: number }[]
}

function payKey(step: StepPay | undefined): string {
  if (!step) return ''
  const royalties = (step.royalties ?? []).map(({ to, bps }) => ({ to: to.toLowerCase(), bps }))
  return canonicalize({ payee: step.payee.toLowerCase(), amount: step.amount.toString(), royalties } as Json)
}
