import { Contest, Criterion, GivenValue } from '@parley/protocol'
import type { Goal as GoalRow } from '../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { versionConflict } from '../errors.ts'
import { goalNotFound } from './errors.ts'
import type { Goal } from './goal.ts'

/** Database constraints match the variants of the type, so every row is one of them. */
export function goalFromRow(row: GoalRow): Goal {
  const givenValues = GivenValue.array().safeParse(row.givenValues).data ?? []
  return { ...row, criteria: criteriaIn(row.criteria), givenValues, contest: contestIn(row) } as unknown as Goal
}

/** A contest that does not parse takes no entry, and ends as one without any. */
function contestIn({ contest, deadline }: GoalRow): Contest | null {
  if (contest === null) return null
  return Contest.safeParse(contest).data ?? { max_entries: 2, entries_by: deadline.toISOString() }
}

/** A criterion that does not parse gets a placeholder, so that one bad record does not break a list. */
function criteriaIn(stored: unknown): Criterion[] {
  const list = Array.isArray(stored) ? stored : [stored]
  return list.map((one) => Criterion.safeParse(one).data ?? { text: 'This criterion can’t be read.' })
}

/**
 * The goal, with its row locked until the transaction ends.
 * @throws goal.not_found
 */
export async function lockGoal(tx: Context, goalId: string): Promise<Goal> {
  await tx.db.$queryRaw`select 1 from "goal" where "id" = ${goalId} for update`
  const row = await tx.db.goal.findUnique({ where: { id: goalId } })
  if (!row) throw goalNotFound(goalId)
  return goalFromRow(row)
}

/**
 * Saves the fields that `advanceGoal` may change.
 * @throws version.conflict
 */
export async function saveGoal(tx: Context, goal: Goal): Promise<void> {
  const saved = await tx.db.goal.updateMany({
    where: { id: goal.id, version: goal.version },
    data: {
      state: goal.state,
      principalId: goal.principalId,
      principalAgentId: goal.principalAgentId,
      outcome: goal.outcome,
      answer: goal.answer === null || goal.answer === undefined ? Prisma.JsonNull : (goal.answer as Prisma.InputJsonValue),
      conclusionSeq: goal.conclusionSeq,
      reviewBy: goal.reviewBy,
      openedAt: goal.openedAt,
      claimedAt: goal.claimedAt,
      concludedAt: goal.concludedAt,
      settledAt: goal.settledAt,
      revisions: goal.revisions,
      deadline: goal.deadline,
      checks: goal.checks === null || goal.checks === undefined ? Prisma.DbNull : (goal.checks as Prisma.InputJsonValue),
      version: goal.version + 1,
    },
  })
  if (saved.count === 0) throw versionConflict('The goal')
}
