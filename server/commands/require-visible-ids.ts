/** Access control for ids: an id that the actor may not see is answered as not found. */
import type { Command } from '@parley/protocol'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'

/** Id prefixes of objects that belong to one goal: the noun of the error code, and the fact that names the id. */
const idKinds = {
  gol: ['goal', 'goal_id'],
  tsk: ['task', 'task_id'],
  rom: ['room', 'room_id'],
  dsp: ['dispute', 'dispute_id'],
  ofr: ['settlement_offer', 'settlement_offer_id'],
} as const

/** Errors that are the same for every room, so that they reveal nothing. */
const neverHidden = new Set(['auth.required', 'rate.exceeded', 'server.unavailable'])

const goalScopedId = /^(gol|tsk|rom|dsp|ofr)_[0-9a-f]{32}$/

/**
 * Rejects a request that names an object of a goal which the actor may not see, with the same answer as for an unknown id. Runs before
 * any other check of the ids, so that no later check can reveal a difference.
 * @throws goal.not_found, task.not_found, room.not_found, dispute.not_found, settlement_offer.not_found
 */
export async function requireVisibleIds(ctx: Context, input: unknown): Promise<void> {
  const unknown = await findInvisible(ctx, input)
  if (unknown !== null) throw notFound(unknown)
}

/**
 * The same for a message, after it was rejected: a query for each message would cost too much, and the room cache knows most members. A
 * rejected message has changed nothing.
 */
export async function hideInvisible(ctx: Context, command: Command, error: unknown): Promise<unknown> {
  if (!(error instanceof DomainError) || neverHidden.has(error.code)) return error
  const unknown = await findInvisible(ctx, command)
  return unknown === null ? error : notFound(unknown)
}

/** The first id that does not exist or that the actor may not see; null if there is none. */
export async function findInvisible(ctx: Context, input: unknown): Promise<string | null> {
  const asked = ctx.actor.kind === 'system' ? [] : idsIn(input)
  if (asked.length === 0) return null
  const known = await listVisible(ctx, asked)
  return asked.find((id) => !known.has(id)) ?? null
}

function notFound(id: string): DomainError {
  const [noun, fact] = idKinds[id.slice(0, 3) as keyof typeof idKinds]
  return new DomainError(`${noun}.not_found`, `There is no such ${noun}, or you have no access to it.`, {
    hint: 'Sign in with the wallet, key or token of a participant.',
    facts: { [fact]: id },
  })
}

/** The ids in the top-level fields and lists of a request. Deeper content is not searched. */
function idsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const { type, ...fields } = input as { readonly type?: unknown; [field: string]: unknown }
  // The sender chooses this id, so it does not exist before the command.
  if (type === 'task.assign') delete fields.task_id
  const follows = (fields.goal as { readonly follows?: unknown } | null | undefined)?.follows
  const values = [...Object.values(fields).flat(), follows]
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && goalScopedId.test(value)))]
}

/**
 * The ids whose goal the actor may see. All may see public goals after funding. Other goals: the client, the principal, members, invited
 * agents, their owners, payees, eligible planners and operators.
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
      union all select c."roomId", c."goalId" from "conversation" c where c."roomId" = any(${asked}::text[])
      union all select d."id", d."goalId" from "dispute" d where d."id" = any(${asked}::text[])
      union all select o."id", o."goalId" from "settlement_offer" o where o."id" = any(${asked}::text[]))
    select a."id" from asked a
      left join "goal" g on g."id" = a."goalId"
      left join "conversation" c on c."roomId" = coalesce(g."roomId", a."id")
    where c."isPublic" or ${isOperator}
      or g."clientId" = ${did} or g."principalId" = ${did} or ${agentId} = any(g."planners")
      or (${isHouse} and cardinality(g."planners") = 0)
      or exists (select 1 from "membership" m join "conversation" r on r."roomId" = m."roomId"
        where r."goalId" = a."goalId" and (m."memberId" = ${did} or m."ownerId" = ${did} or m."agentId" = ${agentId}))
      or exists (select 1 from "team_member" m where m."goalId" = g."id" and m."agentId" = ${agentId})
      or exists (select 1 from "sub_team_member" m join "sub_team" s on s."roomId" = m."roomId"
        where s."goalId" = g."id" and m."agentId" = ${agentId})
      or exists (select 1 from "payout" p where p."goalId" = g."id" and p."payee" = ${address})`
  return new Set(rows.map(({ id }) => id))
}
