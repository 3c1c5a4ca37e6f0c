import type { Context } from '../context.ts'
import type { SettleCall } from '../ports.ts'
import { isLive } from './chain-transaction.ts'
import { prepareTransaction } from './prepare-transaction.ts'
import { lockHold } from './store.ts'
import { submit } from './submit.ts'
import { settlementDue, submitSettlement } from './submit-settlement.ts'

/** In one transaction, well below what a block and EIP-7825 allow. */
const mostTogether = 20

/**
 * Settles several goals at once, most of them in one transaction: those whose charter is on chain in one, those that bring theirs
 * along in another. The escrow carries each out by itself, so one that fails is tried again alone and keeps no other waiting.
 */
export async function submitSettlements(ctx: Context, goalIds: readonly string[]): Promise<void> {
  const tried = await ctx.db.batchedSettlement.findMany({ where: { goalId: { in: [...goalIds] } }, select: { goalId: true } })
  const alone = goalIds.filter((goalId) => tried.some((one) => one.goalId === goalId))
  const together = goalIds.filter((goalId) => !alone.includes(goalId)).sort()
  for (let at = 0; at < together.length; at += mostTogether) {
    const some = together.slice(at, at + mostTogether)
    if (some.length === 1) alone.push(...some)
    else for (const isSealed of [true, false]) await submitBatch(ctx, some, isSealed)
  }
  const failures: unknown[] = []
  for (const goalId of alone) await submitSettlement(ctx, goalId).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** `isSealed`: those whose charter is on chain; else those that bring theirs along. */
async function submitBatch(ctx: Context, goalIds: readonly string[], isSealed: boolean): Promise<void> {
  await submit(ctx, async (tx) => {
    const due: { goalId: string; call: SettleCall }[] = []
    for (const goalId of goalIds) {
      const call = await settlementDue(tx, goalId)
      if (call && (call.authorization === undefined) === isSealed) due.push({ goalId, call })
    }
    if (due.length === 0) return null
    let value = 0n
    for (const { goalId } of due) value += (await lockHold(tx, goalId)).terms.total
    const prepared = await prepareTransaction(tx, {
      key: `settle-batch:${tx.ids.uuid()}`,
      purpose: 'settle',
      goalId: null,
      call: { kind: 'settleMany', settlements: due.map(({ call }) => call) },
      attempts: 1,
      value,
    })
    if ('refused' in prepared) return null
    const { id } = prepared.transaction
    await tx.db.batchedSettlement.createMany({ data: due.map(({ goalId }) => ({ transactionId: id, goalId })) })
    return isLive(prepared.transaction) ? prepared.transaction : null
  })
}
