import { expect, it } from 'vitest'
import { createPresenceWriter } from '../../../../server/hub/connection/presence-writer.ts'
import { markOnline, publishListing } from '../../../../server/registry/index.ts'
import { draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const publish = async () => (await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })).agent_id

it('fences the connections that others have taken over from, and continues after the database was unavailable', async () => {
  const [staying, leaving] = [await publish(), await publish()]
  await markOnline(world.ctx, staying, 'c1')
  await markOnline(world.ctx, leaving, 'newer')
  const fenced: string[] = []
  const alive = (agentId: string, connection: string) => ({ agentId, connection, fence: () => void fenced.push(agentId) })
  let isAway = true
  const db = new Proxy(world.ctx.db, {
    get: (target, name) => (name === '$queryRaw' && isAway ? () => Promise.reject(new Error('away')) : Reflect.get(target, name)),
  })
  const warned = Promise.withResolvers<void>()
  const log = { ...world.ctx.log, warn: () => warned.resolve() } as typeof world.ctx.log
  const pulse = createPresenceWriter({ ...world.ctx, db, log })
  pulse.noteHeartbeat(alive(leaving, 'older'))
  await warned.promise
  expect(fenced).toEqual([])
  isAway = false
  pulse.noteHeartbeat(alive(leaving, 'older'))
  pulse.noteHeartbeat(alive(staying, 'c1'))
  await expect.poll(() => fenced).toEqual([leaving])
})
