import type { Context } from '../context.ts'

export type StepOutcome = {
  readonly taskId: string
  readonly goalId: string
  readonly agentId: string
  /** The did of who pays. */
  readonly payerId: string
  readonly outcome: 'paid' | 'refunded' | 'failed' | 'expired'
  readonly amount: bigint
  /** CAIP-19, of the hold that pays. */
  readonly asset: string
}

/**
 * Writes how a task ended, in the caller's transaction, which audits it. The first word stands: a task ends once, and a
 * settlement that is read twice changes nothing. Returns whether this was the first.
 */
export async function recordOutcome(tx: Context, outcome: StepOutcome): Promise<boolean> {
  if (outcome.amount < 0n) throw new Error(`task ${outcome.taskId} cannot have ended with ${outcome.amount}`)
  const written = await tx.db.stepOutcome.createMany({ data: [{ ...outcome, at: tx.clock.now() }], skipDuplicates: true })
  return written.count === 1
}
