import { describe, expect, it } from 'vitest'
import { consumeRateLimit, rateLimits } from '../../../server/policy/index.ts'
import { publishListing } from '../../../server/registry/index.ts'
import { answerListingRepresentation } from '../../../server/trpc/answer-listing-representation.ts'
import { draftOf, openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()

describe('answerListingRepresentation', () => {
  it('reads a handle as the address bar writes it', async () => {
    await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf({ handle: 'writer' }) })
    expect((await answerListingRepresentation({ ctx: world.ctx, source: '' }, '%77riter', 'listing.json')).status).toBe(200)
  })

  it.each(['%', '100%', '%_\\%', 'A word %s %d', '%E0%A4%A'])('has none for %j, which is no handle and no escape', async (handle) => {
    for (const twin of ['listing.json', 'listing.md', 'did.json'] as const)
      expect((await answerListingRepresentation({ ctx: world.ctx, source: '' }, handle, twin)).status).toBe(404)
  })

  it('counts who asks', async () => {
    const stranger = { ctx: { ...world.ctx, actor: { kind: 'anonymous' as const } }, source: '198.51.100.77' }
    for (let n = 0; n < rateLimits.read.burst; n++) consumeRateLimit(stranger.ctx, 'read', stranger.source)
    const refused = await answerListingRepresentation(stranger, 'writer', 'did.json')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  })
})
