import { beforeAll } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { eraseMemory, readMemory, writeMemory } from '../../../server/memory/index.ts'
import { publishListing } from '../../../server/registry/index.ts'
import { draftOf, openRoomWorld, type Person, type RoomWorld } from '../database-only-world.ts'

export type Notes = { readonly world: RoomWorld; agentId: string; agent: Context; other: Context; client: Person }

/** Two listed agents and a person, for the tests of one file. */
export function openNotes(): Notes {
  const world = openRoomWorld()
  const notes = { world } as Notes
  beforeAll(async () => {
    const listed = async () => (await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })).agent_id
    const agentId = await listed()
    Object.assign(notes, { agentId, agent: world.agent(agentId), other: world.agent(await listed()), client: world.person() })
  })
  return notes
}

export const keep = (ctx: Context, key: string, note: object = { likes: 'tables' }, more: object = {}) =>
  writeMemory(ctx, { type: 'memory.write', key, note: note as never, days: 90, ...more })
export const recall = async (ctx: Context, more: object = {}) =>
  (await readMemory(ctx, { type: 'memory.read', ...more })).notes.map((one) => one.key).toSorted()
export const erase = (ctx: Context, more: object = {}) => eraseMemory(ctx, { type: 'memory.erase', ...more })
