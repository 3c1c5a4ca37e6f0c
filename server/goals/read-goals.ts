import type { GoalState } from '@parley/protocol'
import type { Goal as GoalRow } from '../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import { requireReader } from '../conversations/index.ts'
import { jsonBytes, limitPageBytes } from '../db/limit-page-bytes.ts'
import { DomainError } from '../errors.ts'
import { goalNotFound } from './errors.ts'
import type { Goal } from './goal.ts'
import { goalFromRow } from './goal-store.ts'

/**
 * The raw row, for internal use.
 * @throws goal.not_found
 */
export async function getGoalRowUnchecked(ctx: Context, goalId: string): Promise<GoalRow> {
  const row = await ctx.db.goal.findUnique({ where: { id: goalId } })
  if (!row) throw goalNotFound(goalId)
  return row
}

/** Whether the actor may read the goal's room, files and members: client, members, their owners and operators; everyone if public. */
export async function canReadGoal(ctx: Context, goalId: string): Promise<boolean> {
  const row = await ctx.db.goal.findUnique({ where: { id: goalId }, select: { roomId: true } })
  if (!row) return false
  try {
    await requireReader(ctx, row.roomId)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

/** Those goals that the actor may read. */
export async function readableGoals(ctx: Context, goalIds: Iterable<string>): Promise<Set<string>> {
  const asked = [...new Set(goalIds)]
  const readable = await Promise.all(asked.map((goalId) => canReadGoal(ctx, goalId)))
  return new Set(asked.filter((_, index) => readable[index]))
}

/**
 * A goal that the actor may read. Others look like unknown ones.
 * @throws goal.not_found
 */
export async function getGoal(ctx: Context, goalId: string): Promise<Goal> {
  if (!(await canReadGoal(ctx, goalId))) throw goalNotFound(goalId)
  return goalFromRow(await getGoalRowUnchecked(ctx, goalId))
}

/** Funded follow-ups that the actor may read, oldest first. */
export async function listFollowUps(ctx: Context, goalId: string): Promise<{ id: string; text: string }[]> {
  const rows = await ctx.db.goal.findMany({ where: { followsId: goalId, openedAt: { not: null } }, orderBy: { postedAt: 'asc' }, take: 20 })
  const readable = await Promise.all(rows.map(async (row) => ((await canReadGoal(ctx, row.id)) ? [{ id: row.id, text: row.text }] : [])))
  return readable.flat()
}

/**
 * The goal of a room.
 * @throws goal.not_found
 */
export async function getGoalByRoom(ctx: Context, roomId: string): Promise<Goal> {
  const row = await ctx.db.goal.findUnique({ where: { roomId }, select: { id: true } })
  // The answer must not reveal the id of an unreadable goal.
  if (!row || !(await canReadGoal(ctx, row.id))) throw goalNotFound(roomId)
  return goalFromRow(await getGoalRowUnchecked(ctx, row.id))
}

/** All conditions apply together. `mine`: posted by the actor. */
export type GoalFilter = {
  readonly states?: readonly GoalState[]
  readonly mine?: boolean
  readonly text?: string
  readonly after?: string
  readonly limit: number
}

/**
 * One page of goals, newest first: funded public goals, and the actor's own. `next`: the cursor. Private goals of others never appear.
 */
export async function listGoals(ctx: Context, filter: GoalFilter): Promise<{ goals: Goal[]; next: string | null }> {
  const { actor } = ctx
  const own = actor.kind === 'person' ? { clientId: actor.did } : null
  const everyone = { visibility: 'public' as const, openedAt: { not: null } }
  const visible = filter.mine ? (own ?? { id: '' }) : { OR: [everyone, ...(own ? [own] : [])] }
  const rows = await ctx.db.goal.findMany({
    where: {
      AND: [
        visible,
        ...(filter.states?.length ? [{ state: { in: [...filter.states] } }] : []),
        ...(filter.text ? [{ text: { contains: filter.text, mode: 'insensitive' as const } }] : []),
        ...(filter.after ? [{ id: { lt: filter.after } }] : []),
      ],
    },
    orderBy: { id: 'desc' },
    take: Math.min(filter.limit, 100) + 1,
  })
  const page = limitPageBytes(rows.slice(0, Math.min(filter.limit, 100)), ({ text, criteria, answer }) =>
    jsonBytes([text, criteria, answer]),
  )
  return { goals: page.map(goalFromRow), next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

const fundedStates = ['open', 'underway', 'review', 'settling'] as const satisfies readonly GoalState[]
/** Maximum per answer. */
const maxUnfinished = { funded: 500, unfunded: 50 }

/**
 * The actor's goals that are not over, newest first. `answer` is null, because answers can be long. Of too many, those funded with the
 * earliest deadlines, and the newest of the others.
 */
export async function listUnfinishedGoals({ actor, db }: Context): Promise<Goal[]> {
  if (actor.kind !== 'person') return []
  const own = { clientId: actor.did }
  const omit = { answer: true } as const
  const [funded, unfunded] = await Promise.all([
    db.goal.findMany({
      where: { ...own, state: { in: [...fundedStates] } },
      orderBy: { deadline: 'asc' },
      take: maxUnfinished.funded,
      omit,
    }),
    db.goal.findMany({ where: { ...own, state: 'funding' }, orderBy: { id: 'desc' }, take: maxUnfinished.unfunded, omit }),
  ])
  const rows = [...funded, ...unfunded].sort((a, b) => (a.id < b.id ? 1 : -1))
  return rows.map((row) => goalFromRow({ ...row, answer: null }))
}
