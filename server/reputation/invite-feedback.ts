import type { Context } from '../context.ts'

export type FeedbackInvitation = {
  readonly taskId: string
  readonly goalId: string
  /** Who will be judged. */
  readonly agentId: string
  /** Who may judge: the did of the client, or of the agent that worked with the output. */
  readonly by: string
  /** What the step was paid. */
  readonly amount: bigint
}

/**
 * Lets one who was served judge a paid step, in the caller's transaction. Repeating it changes nothing; returns whether it
 * is new. The caller leaves out who would judge itself: an agent, or an agent's owner, which this room can't know.
 */
export async function inviteFeedback(tx: Context, invitation: FeedbackInvitation): Promise<boolean> {
  const outcome = await tx.db.stepOutcome.findUnique({ where: { taskId: invitation.taskId } })
  if (outcome?.outcome !== 'paid' || outcome.agentId !== invitation.agentId)
    throw new Error(`task ${invitation.taskId} was not paid to ${invitation.agentId}, so nobody may judge it`)
  const written = await tx.db.feedbackInvite.createMany({ data: [{ ...invitation, invitedAt: tx.clock.now() }], skipDuplicates: true })
  return written.count === 1
}
