import { appendAudit } from '../../audit/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { CardEvidence } from '../../ports.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { lockCardHold, requireCardRail } from './lock-card-hold.ts'
import { recordChargeback } from './record-chargeback.ts'

/** A chargeback that still accepts evidence. */
export type OpenCardDispute = { readonly goalId: string; readonly disputeId: string; readonly dueBy: Date; readonly openedAt: Date }

/** Chargebacks without submitted evidence, earliest deadline first. */
export async function listUnansweredDisputes(ctx: Context): Promise<OpenCardDispute[]> {
  const rows = await ctx.db.cardHold.findMany({
    where: { dispute: 'open', evidenceSubmittedAt: null, evidenceDueBy: { gt: ctx.clock.now() } },
    orderBy: { evidenceDueBy: 'asc' },
    take: 100,
  })
  return rows.flatMap(({ goalId, disputeId, evidenceDueBy: dueBy, disputedAt: openedAt }) =>
    disputeId && dueBy && openedAt ? [{ goalId, disputeId, dueBy, openedAt }] : [],
  )
}

/**
 * Submits evidence once per dispute. The idempotency key is the dispute's, so a retry after a lost response changes nothing.
 * @throws hold.card_unavailable if Stripe does not respond; the caller retries
 */
export async function submitChargebackEvidence(ctx: Context, dispute: OpenCardDispute, evidence: CardEvidence): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const cards = requireCardRail(system)
  const known = await cards.getDispute(dispute.disputeId)
  const current =
    known.state === 'open' && !known.isEvidenceSubmitted
      ? await cards.submitEvidence(dispute.disputeId, evidence, `evidence:${dispute.disputeId}`)
      : known
  await recordChargeback(system, current)
  if (!current.isEvidenceSubmitted) return
  await inTransaction(system, async (tx) => {
    const { card } = await lockCardHold(tx, dispute.goalId)
    if (card.disputeId !== dispute.disputeId || card.evidenceSubmittedAt !== null) return
    await tx.db.cardHold.update({ where: { goalId: dispute.goalId }, data: { evidenceSubmittedAt: tx.clock.now() } })
    await appendAudit(tx, {
      stream: holdAuditStreamName(dispute.goalId),
      action: 'hold.evidence',
      after: { dispute: dispute.disputeId, characters: evidence.documentation.length },
    })
  })
}
