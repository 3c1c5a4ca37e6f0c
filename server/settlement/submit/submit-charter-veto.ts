import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { requireEscrowHold } from '../holds/hold.ts'
import { loadHold, lockHold } from '../holds/hold-store.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 10

/** Submits the client's veto of a proposed charter to the escrow, at the server's expense. On the card rail a stored veto is enough. */
export async function submitCharterVeto(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return
  await submitTransaction(ctx, async (tx) => {
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    const plan = await tx.ports.rail.plan(hold.planId)
    const veto = await tx.db.charterVeto.findUnique({ where: { goalId_version: { goalId, version: plan.version } } })
    if (!veto || plan.status !== 1 || plan.charter !== 'proposed' || plan.payableFrom <= seconds(tx.clock.now())) return null
    const { version } = veto
    const signature = veto.signature as `0x${string}`
    const prepared = await createTransactionIntent(tx, {
      key: `veto:${goalId}:${version}`,
      purpose: 'veto',
      goalId,
      call: { kind: 'veto', terms: hold.terms, version, signature },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    tx.log.error(
      { event: 'charter.veto_refused', goal: goalId, version, refused: prepared.refused },
      'The escrow refused a veto of the client.',
    )
    return null
  })
}
