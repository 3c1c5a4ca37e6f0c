import { describe, expect, it } from 'vitest'
import { publishListing } from '../../../server/registry/index.ts'
import { answerTwin } from '../../../server/trpc/twin.ts'
import { draftOf, openRoomWorld } from '../room-world.ts'

const world = openRoomWorld()

describe('answerTwin', () => {
  it('reads a handle as the address bar writes it', async () => {
    await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf({ handle: 'writer' }) })
    expect((await answerTwin(world.ctx, '%77riter', 'listing.json')).status).toBe(200)
  })

  it.each(['%', '100%', '%_\\%', 'A word %s %d', '%E0%A4%A'])('has none for %j, which is no handle and no escape', async (handle) => {
    for (const twin of ['listing.json', 'listing.md', 'did.json'] as const)
      expect((await answerTwin(world.ctx, handle, twin)).status).toBe(404)
  })
})
