import type { Context } from '../../context.ts'
import { type Hold, hasStep } from './hold.ts'
import type { HoldCharter } from './hold-store.ts'

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
