import type { Revision as RevisionRow } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { Goal } from '../goal.ts'

/** One request for changes. `endedAt`: when the next delivery arrived, or the request ended without one. */
export type Revision = Pick<RevisionRow, 'round' | 'reason' | 'steps' | 'requestedAt' | 'endedAt'>

/** The requests for changes of a goal, oldest first. */
export async function listGoalRevisions(ctx: Context, goalId: string): Promise<Revision[]> {
  return ctx.db.revision.findMany({
    where: { goalId },
    orderBy: { round: 'asc' },
    select: { round: true, reason: true, steps: true, requestedAt: true, endedAt: true },
  })
}

/** The open request of a goal, with the conclusion before it; null if there is none. */
export function findOpenRevision(tx: Context, goalId: string): Promise<RevisionRow | null> {
  return tx.db.revision.findFirst({ where: { goalId, endedAt: null } })
}

/** Part of the transaction that requests the changes. `goal`: in review, before the request. */
export async function saveRevision(
  tx: Context,
  {
    goal,
    reason,
    steps,
  }: { readonly goal: Extract<Goal, { state: 'review' }>; readonly reason: string; readonly steps: readonly number[] },
): Promise<void> {
  await tx.db.revision.create({
    data: {
      goalId: goal.id,
      round: goal.revisions + 1,
      reason,
      steps: [...steps],
      conclusionSeq: goal.conclusionSeq,
      answer: (goal.answer ?? Prisma.JsonNull) as Prisma.InputJsonValue,
      requestedAt: tx.clock.now(),
    },
  })
}

/** Part of the transaction that ends the goal's work. Does nothing if no request is open. */
export async function endRevision(tx: Context, goalId: string): Promise<void> {
  await tx.db.revision.updateMany({ where: { goalId, endedAt: null }, data: { endedAt: tx.clock.now() } })
}
