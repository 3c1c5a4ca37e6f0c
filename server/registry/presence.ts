import type { Context } from '../context.ts'
import { sendSignal } from '../signals/signal.ts'

export type PresenceRow = { readonly connection: string; readonly seenAt: Date; readonly leftAt: Date | null }
export type PresenceState = 'online' | 'idle' | 'offline'

/** The silence after which an agent is idle. */
export const idleAfterMs = 60_000
/** The silence after which an agent is offline, even if its connection was not closed. A killed hub closes none. */
export const offlineAfterMs = 300_000

/** Best-effort presence. Not part of the delivery guarantee. */
export function presenceAt(row: PresenceRow | null, now: Date): PresenceState {
  if (row === null || row.leftAt !== null) return 'offline'
  const silent = now.getTime() - row.seenAt.getTime()
  return silent <= idleAfterMs ? 'online' : silent <= offlineAfterMs ? 'idle' : 'offline'
}

/** An agent and one of its connections. */
export type Presence = { readonly agentId: string; readonly connection: string }

/**
 * Records the agent's connection. Fencing: the id of the newest connection is the token that every heartbeat is compared with. The hub of
 * an earlier connection gets a signal and closes it, or closes it at its next heartbeat.
 */
export async function markOnline(ctx: Context, agentId: string, connection: string): Promise<void> {
  await markManyOnline(ctx, [{ agentId, connection }])
}

/** The same for many agents. For a duplicate agent the later connection counts. */
export async function markManyOnline(ctx: Context, come: readonly Presence[]): Promise<void> {
  const now = ctx.clock.now()
  const { agentIds, connections } = listsOf(new Map(come.map((one) => [one.agentId, one.connection])))
  await ctx.db.$executeRaw`
    insert into "presence" ("agentId", "connection", "connectedAt", "seenAt")
    select s."agentId", s."connection", ${now}, ${now} from unnest(${agentIds}::text[], ${connections}::text[]) as s("agentId", "connection")
    on conflict ("agentId") do update set "connection" = excluded."connection", "connectedAt" = excluded."connectedAt",
      "seenAt" = excluded."seenAt", "leftAt" = null`
  await sendSignal(ctx, ...come.map(({ agentId, connection }) => ({ topic: 'agent', id: agentId, from: connection }) as const))
}

/** Sorted, so that two hubs that write the same agents never deadlock. */
function listsOf(connectionOf: ReadonlyMap<string, string>) {
  const agentIds = [...connectionOf.keys()].sort()
  return { agentIds, connections: agentIds.map((agentId) => connectionOf.get(agentId) ?? '') }
}

/** Records a heartbeat. False if a newer connection has replaced this one, which must end. */
export async function markSeen(ctx: Context, agentId: string, connection: string): Promise<boolean> {
  return (await markManySeen(ctx, [{ agentId, connection }])).length === 0
}

/** Records heartbeats of many connections, each of another agent. Returns the replaced ones. */
export async function markManySeen<Seen extends Presence>(ctx: Context, seen: readonly Seen[]): Promise<Seen[]> {
  const [agentIds, connections] = [seen.map((one) => one.agentId), seen.map((one) => one.connection)]
  const current = await ctx.db.$queryRaw<{ connection: string }[]>`
    update "presence" p set "seenAt" = ${ctx.clock.now()} from (
      select q."agentId" from unnest(${agentIds}::text[], ${connections}::text[]) as s("agentId", "connection")
      join "presence" q on q."agentId" = s."agentId" and q."connection" = s."connection" and q."leftAt" is null
      order by q."agentId" for update of q) held
    where p."agentId" = held."agentId" returning p."connection"`
  const standing = new Set(current.map((one) => one.connection))
  return seen.filter((one) => !standing.has(one.connection))
}

/** The connection has ended. Changes nothing if a newer one has replaced it. */
export async function markOffline(ctx: Context, agentId: string, connection: string): Promise<void> {
  await markManyOffline(ctx, [{ agentId, connection }])
}

/** The same for many connections. */
export async function markManyOffline(ctx: Context, gone: readonly Presence[]): Promise<void> {
  const connections = gone.map((one) => one.connection)
  const agentIds = gone.map((one) => one.agentId)
  await ctx.db.$executeRaw`
    update "presence" p set "leftAt" = ${ctx.clock.now()} from (
      select q."agentId" from unnest(${agentIds}::text[], ${connections}::text[]) as s("agentId", "connection")
      join "presence" q on q."agentId" = s."agentId" and q."connection" = s."connection" and q."leftAt" is null
      order by q."agentId" for update of q) held
    where p."agentId" = held."agentId"`
}

/** The agent is offline, unless its connection was seen after `seenAt`, by this hub or another. */
export async function markOfflineUnlessSeen(
  ctx: Context,
  { agentId, connection, seenAt }: Presence & { readonly seenAt: Date },
): Promise<void> {
  await ctx.db.presence.updateMany({
    where: { agentId, connection, leftAt: null, seenAt: { lte: seenAt } },
    data: { leftAt: ctx.clock.now() },
  })
}

/** Whether each of these is still its agent's connection, in the given order. */
export async function areConnectionsCurrent(ctx: Context, here: readonly Presence[]): Promise<boolean[]> {
  const current = await listConnections(
    ctx,
    here.map((one) => one.agentId),
  )
  const connectionOf = new Map(current.map((one) => [one.agentId, one.connection]))
  return here.map((one) => connectionOf.get(one.agentId) === one.connection)
}

/** The current connection of each agent; agents without one are left out. */
export async function listConnections(ctx: Context, agentIds: readonly string[]): Promise<{ agentId: string; connection: string }[]> {
  return ctx.db
    .$queryRaw`select "agentId", "connection" from "presence" where "agentId" = any(${[...agentIds]}::text[]) and "leftAt" is null`
}

/** Ends the agent's connection in the caller's transaction, because its key was retired. */
export async function fenceAgent(tx: Context, agentId: string): Promise<void> {
  await tx.db.presence.updateMany({ where: { agentId }, data: { connection: '', leftAt: tx.clock.now() } })
  await sendSignal(tx, { topic: 'agent', id: agentId })
}
