import { actingAs, type Context } from '../../context.ts'
import { readMessages } from '../../conversations/index.ts'
import { DomainError } from '../../errors.ts'
import {
  clearAlarms,
  listAlarms,
  listPayouts,
  listUnansweredDisputes,
  type OpenCardDispute,
  raiseAlarm,
  submitChargebackEvidence,
} from '../../settlement/index.ts'
import type { Goal } from '../goal.ts'
import { goalFromRow } from '../goal-store.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'
import { composeCardDisputeEvidence, isEvidenceDue } from './compose-card-dispute-evidence.ts'

const pageSize = 500
/** Evidence has room for a few hundred lines. */
const maxMessages = 5_000

/**
 * Submits transcript and receipts for every bank dispute that is due. Runs every minute. A failed one raises an alarm and is retried,
 * without blocking the others.
 */
export async function submitDueCardDisputeEvidence(ctx: Context): Promise<void> {
  if (!ctx.ports.cards) return
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const disputes = await listUnansweredDisputes(system)
  await endAlarms(system, disputes)
  for (const dispute of disputes) {
    const { disputeId: subject, goalId, dueBy } = dispute
    try {
      await answer(system, dispute)
      await clearAlarms(system, ['card_dispute'], { subject })
    } catch (error) {
      const level = error instanceof DomainError ? 'warn' : 'error'
      system.log[level](
        { event: 'stripe.evidence_failed', goal: goalId, dispute: subject, err: error },
        'The evidence for a bank dispute was not submitted. The next run retries it.',
      )
      const why = error instanceof Error ? error.message.slice(0, 200) : String(error)
      await raiseAlarm(system, { kind: 'card_dispute', subject, facts: { goal_id: goalId, due_by: dueBy.toISOString(), why } })
    }
  }
}

async function answer(ctx: Context, dispute: OpenCardDispute): Promise<void> {
  const goal = goalFromRow(await getGoalRowUnchecked(ctx, dispute.goalId))
  if (!isEvidenceDue(goal, dispute.dueBy, ctx.clock.now())) return
  const facts = {
    goal,
    messages: await transcriptOf(ctx, goal),
    payouts: await listPayouts(ctx, { goalId: goal.id }),
    publicUrl: ctx.market.publicUrl,
  }
  await submitChargebackEvidence(ctx, dispute, composeCardDisputeEvidence(facts))
}

/** Ends the alarms of disputes that were answered elsewhere or that Stripe has closed. */
async function endAlarms(ctx: Context, open: readonly OpenCardDispute[]): Promise<void> {
  const raised = (await listAlarms(ctx)).filter(({ kind }) => kind === 'card_dispute')
  for (const { subject } of raised)
    if (!open.some(({ disputeId }) => disputeId === subject)) await clearAlarms(ctx, ['card_dispute'], { subject })
}

async function transcriptOf(ctx: Context, { roomId }: Goal) {
  const messages: Awaited<ReturnType<typeof readMessages>> = []
  for (let after = 0; messages.length < maxMessages; ) {
    const page = await readMessages(ctx, { roomId, after, limit: pageSize })
    messages.push(...page)
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.seq
  }
  return messages
}
