import { actingAs, type Context } from '../context.ts'
import { readMessages } from '../conversations/index.ts'
import { DomainError } from '../errors.ts'
import { listPayouts, listUnansweredDisputes, submitEvidence } from '../settlement/index.ts'
import { evidenceOf, isEvidenceDue } from './dispute-evidence.ts'
import type { Goal } from './goal.ts'
import { getGoalRow } from './read-goals.ts'
import { goalFromRow } from './store.ts'

const pageSize = 500
/** Evidence has room for some hundred lines. */
const maxMessages = 5_000

/** Submits transcript and receipts for every bank dispute that is due. Runs every minute; one that fails is tried again. */
export async function answerCardDisputes(ctx: Context): Promise<void> {
  if (!ctx.ports.cards) return
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  for (const dispute of await listUnansweredDisputes(system)) {
    const goal = goalFromRow(await getGoalRow(system, dispute.goalId))
    if (!isEvidenceDue(goal, dispute.dueBy, system.clock.now())) continue
    const facts = {
      goal,
      messages: await transcriptOf(system, goal),
      payouts: await listPayouts(system, { goalId: goal.id }),
      publicUrl: system.market.publicUrl,
    }
    try {
      await submitEvidence(system, dispute, evidenceOf(facts))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      system.log.warn(
        { goal: goal.id, dispute: dispute.disputeId, err: error },
        'evidence for a bank dispute was not submitted; it is tried again',
      )
    }
  }
}

async function transcriptOf(ctx: Context, { groupId }: Goal) {
  const messages: Awaited<ReturnType<typeof readMessages>> = []
  for (let after = 0; messages.length < maxMessages; ) {
    const page = await readMessages(ctx, { groupId, after, limit: pageSize })
    messages.push(...page)
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.seq
  }
  return messages
}
