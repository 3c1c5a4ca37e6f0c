import type { Context } from '../context.ts'

export type FeedbackInvitation = {
  readonly taskId: string
  readonly goalId: string
  /** The rated agent. */
  readonly agentId: string
  /** The rater: the DID of the client, or of an agent that used the output. */
  readonly by: string
  /** What the step was paid. */
  readonly amount: bigint
}

/**
 * Invites a party that was served to rate a paid step, in the caller's transaction. Idempotent; returns whether the invitation is new.
 * The caller leaves out an agent or owner that would rate itself.
 */
export async function inviteFeedback(tx: Context, invitation: FeedbackInvitation): Promise<boolean> {
  const outcome = await tx.db.stepOutcome.findUnique({ where: { taskId: invitation.taskId } })
  if (outcome?.outcome !== 'paid' || outcome.agentId !== invitation.agentId)
    throw new Error(`task ${invitation.taskId} was not paid to ${invitation.agentId}, so no party may rate it`)
  const written = await tx.db.feedbackInvite.createMany({ data: [{ ...invitation, invitedAt: tx.clock.now() }], skipDuplicates: true })
  return written.count === 1
}
