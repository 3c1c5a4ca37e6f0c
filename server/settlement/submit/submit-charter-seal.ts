import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { nextSealing, type SealedPlan, type Sealing } from '../charters/next-sealing.ts'
import { requiredSealSignatures, requiresDepartingMembers } from '../charters/required-seal-signatures.ts'
import { advanceHold, type EscrowHold, type FundedHold, isFunded, requireEscrowHold } from '../holds/hold.ts'
import { escrowCharter, listCharters, loadHold, lockHold, saveHold } from '../holds/hold-store.ts'
import { scheduleSealRetry, sealKey } from '../holds/schedule-sealing.ts'
import { sealCardCharter } from '../stripe/settle-card-hold.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 3

/** Submits the due charter: with the client's approval, or as a proposal that the client can veto. */
export async function submitCharterSeal(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return sealCardCharter(ctx, goalId)
  await submitTransaction(ctx, async (tx) => {
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    if (!isFunded(hold) || 'settledTx' in hold) return null
    const charters = await listCharters(tx, goalId)
    const plan = await tx.ports.rail.plan(hold.planId)
    const at = tx.clock.now()
    const sealing = nextSealing(hold, charters, plan, at)
    if (!sealing) {
      await finishSealings(tx, hold, plan, at)
      return null
    }
    const { charter } = sealing
    const before = requiresDepartingMembers(hold.terms) ? charters.find((one) => one.version === plan.version) : undefined
    const replaced = before && escrowCharter(before)
    // A later approval of a proposal is another effect and has its own key.
    const key = charter.version === plan.version ? `approve:${goalId}:${charter.version}` : sealKey(goalId, charter.version)
    const sealed = escrowCharter(charter)
    const prepared = await createTransactionIntent(tx, {
      key,
      purpose: 'seal',
      goalId,
      call: {
        kind: 'seal',
        terms: hold.terms,
        version: charter.version,
        charter: sealed,
        memberSignatures: requiredSealSignatures(sealed, charter.memberSignatures, replaced ? [replaced] : []),
        authorization: charter.authorization,
        ...(replaced && { replaced }),
      },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    if (hold.charter?.version === charter.version) await retryLater(tx, sealing, key, prepared.refused)
    else await rejectCharter(tx, hold, sealing, prepared.refused)
    return null
  })
}

/** Deletes schedules of sealed charters. After the veto window of a proposal its team may begin. */
async function finishSealings(tx: Context, hold: EscrowHold & FundedHold, plan: SealedPlan, at: Date): Promise<void> {
  const { goalId } = hold
  const due = await tx.db.charterSealing.findMany({ where: { goalId, dueAt: { lte: at } } })
  for (const { version } of due) {
    if (version === plan.version && plan.payableFrom > seconds(at)) {
      await tx.db.charterSealing.update({
        where: { goalId_version: { goalId, version } },
        data: { dueAt: new Date((plan.payableFrom + 1) * 1_000) },
      })
      continue
    }
    // The escrow is ahead of our index. The event must be indexed first.
    if (version === plan.version && !(await isInLog(tx, hold.planId, version))) continue
    await tx.db.charterSealing.delete({ where: { goalId_version: { goalId, version } } })
    if (version === plan.version && version === hold.charter?.version && hold.state === 'authorized')
      await enqueue(tx, { type: 'team.recorded', goal_id: goalId as never, version })
  }
}

async function isInLog(tx: Context, planId: string, version: number): Promise<boolean> {
  return (await tx.db.chainLog.count({ where: { planId, name: 'PlanSealed', args: { path: ['version'], equals: version } } })) > 0
}

/** Work under this charter has begun, so sealing is retried until the plan closes or expires. */
async function retryLater(tx: Context, { charter, as }: Sealing, key: string, failure: string): Promise<void> {
  const { goalId, version } = charter
  const dueAt = await scheduleSealRetry(tx, { goalId, version, key })
  await appendAudit(tx, { stream: holdAuditStreamName(goalId), action: 'hold.seal_later', after: { version, as, failure, due_at: dueAt } })
  tx.log.error(
    { event: 'charter.seal_refused', goal: goalId, version, failure },
    'The escrow refused the charter in force. The server retries it.',
  )
}

/** The previous charter stays in force. The team learns of the rejection and may propose another. */
async function rejectCharter(tx: Context, hold: EscrowHold, { charter, as }: Sealing, failure: string): Promise<void> {
  const { goalId, version } = charter
  await tx.db.charterSealing.deleteMany({ where: { goalId, version } })
  if (hold.state === 'authorized') await saveHold(tx, advanceHold(hold, { type: 'refuse', failure }))
  await appendAudit(tx, { stream: holdAuditStreamName(goalId), action: 'hold.refuse_charter', after: { version, as, failure } })
  await enqueue(tx, { type: 'hold.failed', goal_id: goalId as never })
}
