import { z } from 'zod'
import { type Context, mayReadOperations } from '../context.ts'
import { loadForOperators } from './errors.ts'

const count = z.number().nonnegative()

/** How a hub stands at one moment. Counts are since its start, so that two of them tell what was between. */
export const LoadFigures = z.object({
  /** Messages written, the writes they went in, and the seconds these took until their answer. */
  messages: count,
  writes: count,
  writeSeconds: count,
  deliveries: count,
  connections: count,
  /** Messages that wait to be written. */
  queued: count,
  /** Rooms that some connection is behind in. */
  behind: count,
  unsentBytes: count,
  /** Readers that were cut off because they took nothing. */
  slow: count,
})
export type LoadFigures = z.infer<typeof LoadFigures>

/** `hub`: of one process, from its start to its end. `name`: host and port. */
export type HubLoad = { readonly hub: string; readonly name: string; readonly at: Date; readonly figures: LoadFigures }

/** A hub as others reach it. `link`: an address, as ws://10.0.0.5:4000. */
export type ReachableHub = { readonly hub: string; readonly link: string }

/** So long a hub's word is kept. */
export const loadRetentionMs = 10 * 60_000

/** A hub that has told nothing for so long is not looked for. */
const reachableWithinMs = 12_000

/** Writes down how a hub stands and where others reach it, and clears away what is too old, whichever hub it was of. */
export async function recordLoad(ctx: Context, load: Omit<HubLoad, 'at'> & { readonly link?: string | null }): Promise<void> {
  const at = ctx.clock.now()
  await ctx.db.hubLoad.createMany({ data: [{ ...load, at }], skipDuplicates: true })
  await ctx.db.hubLoad.deleteMany({ where: { at: { lt: new Date(at.getTime() - loadRetentionMs) } } })
}

/** The hubs that have told how they stand just now and can be reached. */
export async function listReachableHubs(ctx: Context): Promise<ReachableHub[]> {
  const since = new Date(ctx.clock.now().getTime() - reachableWithinMs)
  const rows = await ctx.db.hubLoad.findMany({ where: { at: { gte: since }, link: { not: null } }, distinct: ['hub'], take: 1_000 })
  return rows.flatMap(({ hub, link }) => (link === null ? [] : [{ hub, link }]))
}

/** A hub that ends in order is no longer shown; one that was killed stays, as silent. */
export async function deleteLoad(ctx: Context, hub: string): Promise<void> {
  await ctx.db.hubLoad.deleteMany({ where: { hub } })
}

/** What the hubs told in the last minutes, oldest first. @throws permission.denied */
export async function listLoad(ctx: Context): Promise<HubLoad[]> {
  if (!mayReadOperations(ctx)) throw loadForOperators()
  const since = new Date(ctx.clock.now().getTime() - loadRetentionMs)
  const rows = await ctx.db.hubLoad.findMany({ where: { at: { gte: since } }, orderBy: { at: 'asc' }, take: 5_000 })
  return rows.flatMap(({ hub, name, at, figures }) => {
    const read = LoadFigures.safeParse(figures)
    return read.success ? [{ hub, name, at, figures: read.data }] : []
  })
}
