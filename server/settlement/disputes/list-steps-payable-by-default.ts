import type { SilenceOutcome } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { isFunded } from '../holds/hold.ts'
import { loadHoldForDisplay } from '../holds/hold-store.ts'
import { silenceOutcomeOfTerms } from '../holds/silence-outcome-mapping.ts'

/** `payableAt`: from then on, anyone can have the escrow apply `outcome` to the steps, unless they are paid or disputed before. */
export type StepsPayableByDefault = { readonly steps: readonly number[]; readonly payableAt: Date; readonly outcome: SilenceOutcome }

/** Steps that a payee submitted to the escrow and that are neither paid nor disputed; null if there are none. @throws hold.not_found */
export async function listStepsPayableByDefault(ctx: Context, goalId: string): Promise<StepsPayableByDefault | null> {
  const hold = await loadHoldForDisplay(ctx, goalId)
  if (hold.rail !== 'escrow' || !isFunded(hold)) return null
  const where = { goalId, state: 'sealed', submittedTx: { not: null } } as const
  const steps = await ctx.db.payout.findMany({ where, select: { step: true }, orderBy: { step: 'asc' } })
  if (steps.length === 0) return null
  return {
    steps: steps.map(({ step }) => step),
    payableAt: new Date(hold.terms.reviewBy * 1_000),
    outcome: silenceOutcomeOfTerms(hold.terms),
  }
}
