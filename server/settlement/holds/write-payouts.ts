import { feeOn } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { charterUnpayable } from '../errors.ts'
import { type Hold, hasStep } from './hold.ts'
import type { HoldCharter, HoldCharterStep } from './hold-store.ts'

/**
 * Writes the payouts of the charter in force and replaces those of the previous version. The caller emits `team.recorded` when
 * work may begin.
 */
export async function writePayouts(tx: Context, hold: Hold, charter: HoldCharter): Promise<void> {
  const { goalId, rail } = hold
  const earlier = await tx.db.payout.findMany({ where: { goalId, state: { not: 'replaced' } } })
  await tx.db.payout.updateMany({ where: { goalId, state: { not: 'replaced' } }, data: { state: 'replaced' } })
  await tx.db.payout.createMany({
    data: charter.steps.map(({ royalties: _ofTheEscrow, ...step }) => ({
      id: tx.ids.next('pay'),
      goalId,
      charterVersion: charter.version,
      ...step,
      taskId: earlier.find((one) => one.step === step.step)?.taskId ?? null,
      rail,
      // A settlement requested in the meantime continues under the new version.
      state: hold.state === 'capturing' && hasStep(hold.bits, step.step) ? ('paying' as const) : ('sealed' as const),
    })),
  })
}

/** Validates the charter as the escrow does, before it costs gas. @throws team.charter_invalid */
export function requirePayable(hold: Hold, steps: readonly HoldCharterStep[]): void {
  const { terms } = hold
  const never = new Set([`0x${'0'.repeat(40)}`, terms.evaluator, ...(hold.rail === 'escrow' ? [hold.escrow, hold.terms.arbitrator] : [])])
  for (const [index, step] of [...steps].sort((a, b) => a.step - b.step).entries()) {
    if (step.step !== index + 1) throw charterUnpayable('The steps are not numbered from 1 without a gap.', { step: step.step })
    if (never.has(step.payee.toLowerCase()))
      throw charterUnpayable('A payee is the zero address, the escrow, the evaluator or the arbitrator.', {
        step: step.step,
        payee: step.payee,
      })
  }
  for (const { step, royalties = [] } of steps) {
    for (const { to } of royalties)
      if (never.has(to.toLowerCase()))
        throw charterUnpayable('The receiver of a royalty is the zero address, the escrow, the evaluator or the arbitrator.', { step, to })
  }
  const sum = steps.reduce((total, step) => total + step.amount, 0n)
  const needed = sum + feeOn(sum, terms.feeBps)
  if (steps.length === 0 || needed > terms.total)
    throw charterUnpayable('The charter has no step, or its steps and the fee need more than the hold.', {
      needed: needed.toString(),
      total: terms.total.toString(),
    })
}
