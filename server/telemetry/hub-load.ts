import { z } from 'zod'
import { type Context, mayReadOperatorPages } from '../context.ts'
import { loadForOperators } from './errors.ts'

const count = z.number().nonnegative()

/** The load of a hub. Counters run since its start, so two readings give the rate. */
export const LoadFigures = z.object({
  /** Messages, writes, and the total duration of the writes in seconds. */
  messages: count,
  writes: count,
  writeSeconds: count,
  deliveries: count,
  connections: count,
  /** Messages that wait to be written. */
  queued: count,
  /** Rooms in which a connection is behind. */
  behind: count,
  unsentBytes: count,
  /** Connections that were closed because they read too slowly. */
  slow: count,
})
export type LoadFigures = z.infer<typeof LoadFigures>

/** `hub`: the id of one process. `name`: host and port. */
export type HubLoad = { readonly hub: string; readonly name: string; readonly at: Date; readonly figures: LoadFigures }

/** A hub with its address, as ws://10.0.0.5:4000. */
export type ReachableHub = { readonly hub: string; readonly peerUrl: string }

/** How long readings are kept. */
export const loadRetentionMs = 10 * 60_000

/** A hub without a reading for this time is not contacted. */
const reachableWithinMs = 12_000

/** Stores the hub's load and address, and deletes old readings of all hubs. */
export async function recordLoad(ctx: Context, load: Omit<HubLoad, 'at'> & { readonly peerUrl?: string | null }): Promise<void> {
  const at = ctx.clock.now()
  await ctx.db.hubLoad.createMany({ data: [{ ...load, at }], skipDuplicates: true })
  await ctx.db.hubLoad.deleteMany({ where: { at: { lt: new Date(at.getTime() - loadRetentionMs) } } })
}

/** The hubs that reported recently and have an address. */
export async function listReachableHubs(ctx: Context): Promise<ReachableHub[]> {
  const since = new Date(ctx.clock.now().getTime() - reachableWithinMs)
  const rows = await ctx.db.hubLoad.findMany({ where: { at: { gte: since }, peerUrl: { not: null } }, distinct: ['hub'], take: 1_000 })
  return rows.flatMap(({ hub, peerUrl }) => (peerUrl === null ? [] : [{ hub, peerUrl }]))
}

/** A stopping hub deletes its readings. Those of a killed hub remain, and it shows as silent. */
export async function deleteLoad(ctx: Context, hub: string): Promise<void> {
  await ctx.db.hubLoad.deleteMany({ where: { hub } })
}

/**
 * The readings of the last minutes, oldest first.
 * @throws permission.denied
 */
export async function listLoad(ctx: Context): Promise<HubLoad[]> {
  if (!mayReadOperatorPages(ctx)) throw loadForOperators()
  const since = new Date(ctx.clock.now().getTime() - loadRetentionMs)
  const rows = await ctx.db.hubLoad.findMany({ where: { at: { gte: since } }, orderBy: { at: 'asc' }, take: 5_000 })
  return rows.flatMap(({ hub, name, at, figures }) => {
    const read = LoadFigures.safeParse(figures)
    return read.success ? [{ hub, name, at, figures: read.data }] : []
  })
}
