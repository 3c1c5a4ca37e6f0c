/** Access control for ids: an id that the actor may not know is answered as not found. */
import type { Command } from '@parley/protocol'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'

/** Kinds of ids that belong to one goal, by their prefix: the noun of the problem, and the fact that names the id. */
const idKinds = {
  gol: ['goal', 'goal_id'],
  tsk: ['task', 'task_id'],
  rom: ['group', 'group_id'],
  dsp: ['dispute', 'dispute_id'],
  ofr: ['offer', 'offer_id'],
} as const

/** Told of a message whatever room it names. */
const neverHidden = new Set(['auth.required', 'rate.exceeded', 'server.unavailable'])

const goalScopedId = /^(gol|tsk|rom|dsp|ofr)_[0-9a-f]{32}$/

/**
 * Refuses a request that names something of a goal which the actor must not know of, in the same words as for an id that does not
 * exist. Called before anything else looks at the ids, so that no later check can tell the two apart.
 * @throws goal.not_found, task.not_found, group.not_found, dispute.not_found, offer.not_found
 */
export async function requireVisible(ctx: Context, input: unknown): Promise<void> {
  const unknown = await findInvisible(ctx, input)
  if (unknown !== null) throw notFound(unknown)
}

/**
 * The same for talk, after it was refused: most talk is said in rooms that this process knows, where a query per message would be
 * too dear. A refused message has changed nothing.
 */
export async function hideInvisible(ctx: Context, command: Command, error: unknown): Promise<unknown> {
  if (!(error instanceof DomainError) || neverHidden.has(error.code)) return error
  const unknown = await findInvisible(ctx, command)
  return unknown === null ? error : notFound(unknown)
}

/** The first id that the actor must not know of, or that does not exist; null where there is none. */
export async function findInvisible(ctx: Context, input: unknown): Promise<string | null> {
  const asked = ctx.actor.kind === 'system' ? [] : idsIn(input)
  if (asked.length === 0) return null
  const known = await listVisible(ctx, asked)
  return asked.find((id) => !known.has(id)) ?? null
}

function notFound(id: string): DomainError {
  const [noun, fact] = idKinds[id.slice(0, 3) as keyof typeof idKinds]
  return new DomainError(`${noun}.not_found`, `There is no such ${noun}, or it is not yours to see.`, {
    hint: 'Sign in as somebody who has a part in it.',
    facts: { [fact]: id },
  })
}

/** Ids among the fields of a request, and in its lists. What is said or handed over lies deeper, and is looked up by nobody. */
function idsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const { type, ...fields } = input as { readonly type?: unknown; [field: string]: unknown }
  // Chosen by the sender: it does not exist before the command.
  if (type === 'task.assign') delete fields.task_id
  const follows = (fields.goal as { readonly follows?: unknown } | null | undefined)?.follows
  const values = [...Object.values(fields).flat(), follows]
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && goalScopedId.test(value)))]
}

/**
 * Those of these ids whose goal the actor may know of: every published goal, and of any other the goal of its client, its principal,
 * its members and whom it has invited, the owners of its agents, its payees, the planners that it is offered to, and operators.
 */
async function listVisible(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  const { actor, market } = ctx
  const did = actor.kind === 'person' || actor.kind === 'agent' ? actor.did : ''
  const agentId = actor.kind === 'agent' ? actor.agentId : ''
  const address = actor.kind === 'person' ? actor.address.toLowerCase() : ''
  const isOperator = actor.kind === 'person' && actor.isOperator
  const isHouse = actor.kind === 'agent' && actor.ownerDid === market.housePublisher
  const asked = [...ids]
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    with asked as (
      select g."id", g."id" as "goalId" from "goal" g where g."id" = any(${asked}::text[])
      union all select t."id", t."goalId" from "task" t where t."id" = any(${asked}::text[])
      union all select c."groupId", c."goalId" from "conversation" c where c."groupId" = any(${asked}::text[])
      union all select d."id", d."goalId" from "dispute" d where d."id" = any(${asked}::text[])
      union all select o."id", o."goalId" from "offer" o where o."id" = any(${asked}::text[]))
    select a."id" from asked a
      left join "goal" g on g."id" = a."goalId"
      left join "conversation" c on c."groupId" = coalesce(g."groupId", a."id")
    where c."isPublic" or ${isOperator}
      or g."clientId" = ${did} or g."principalId" = ${did} or ${agentId} = any(g."planners")
      or (${isHouse} and cardinality(g."planners") = 0)
      or exists (select 1 from "membership" m join "conversation" r on r."groupId" = m."groupId"
        where r."goalId" = a."goalId" and (m."memberId" = ${did} or m."ownerId" = ${did} or m."agentId" = ${agentId}))
      or exists (select 1 from "team_member" m where m."goalId" = g."id" and m."agentId" = ${agentId})
      or exists (select 1 from "sub_team_member" m join "sub_team" s on s."groupId" = m."groupId"
        where s."goalId" = g."id" and m."agentId" = ${agentId})
      or exists (select 1 from "payout" p where p."goalId" = g."id" and p."payee" = ${address})`
  return new Set(rows.map(({ id }) => id))
}
