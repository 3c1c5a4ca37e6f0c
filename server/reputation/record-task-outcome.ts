import type { Context } from '../context.ts'

export type StepOutcome = {
  readonly taskId: string
  readonly goalId: string
  readonly agentId: string
  /** The DID of the payer. */
  readonly payerId: string
  readonly outcome: 'paid' | 'refunded' | 'failed' | 'expired'
  readonly amount: bigint
  /** The CAIP-19 id of the hold's asset. */
  readonly asset: string
}

/**
 * Records how a task ended, in the caller's transaction, which writes the audit row. The first outcome counts. Returns whether this was
 * the first.
 */
export async function recordTaskOutcome(tx: Context, outcome: StepOutcome): Promise<boolean> {
  if (outcome.amount < 0n) throw new Error(`task ${outcome.taskId} cannot have ended with ${outcome.amount}`)
  const written = await tx.db.stepOutcome.createMany({ data: [{ ...outcome, at: tx.clock.now() }], skipDuplicates: true })
  return written.count === 1
}
