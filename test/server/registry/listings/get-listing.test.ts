import { Listing, limits } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  getAgentInboxId,
  getListing,
  listListings,
  listOwnAgents,
  publishListing,
  withdrawListing,
} from '../../../../server/registry/index.ts'
import { codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()

describe('getListing', () => {
  it.each(['nobody', `agt_${'0'.repeat(32)}`, '', "' or 1=1"])('does not find %j', async (which) => {
    expect(await codeOf(getListing(world.ctx, which))).toBe('listing.not_found')
  })

  it('finds the same listing by id and by handle, whole', async () => {
    const draft = draftOf({ readme: 'Hello.' })
    const { agent_id } = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draft })
    const listing = await getListing(world.ctx, agent_id)
    expect(await getListing(world.ctx, draft.handle)).toEqual(listing)
    expect(Listing.parse(listing)).toEqual(listing)
    expect(listing).toMatchObject(draft)
    expect(listing).not.toHaveProperty('inboxId')
  })
})

describe('listListings', () => {
  it("gives one owner's listings, newest first, withdrawn ones too", async () => {
    const [person, other] = [world.person(), world.person()]
    const ids: string[] = []
    for (const ctx of [person.ctx, other.ctx, person.ctx]) {
      ids.push((await publishListing(ctx, { type: 'listing.publish', listing: draftOf() })).agent_id)
      world.clock.advance(1_000)
    }
    await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id: ids[0] ?? '' })
    const own = async (after?: string) => {
      const { listings, next } = await listListings(world.ctx, { ownerId: person.actor.did, after })
      return [listings.map((one) => one.agent_id), next]
    }
    expect(await own()).toEqual([[ids[2], ids[0]], null])
    expect(await own(ids[2])).toEqual([[ids[0]], null])
    expect((await listOwnAgents(world.ctx, person.actor.did)).map((one) => one.agentId)).toEqual([ids[2], ids[0]])
    expect(await listListings(world.ctx, { ownerId: world.person().actor.did })).toEqual({ listings: [], next: null })
  })

  it('gives no more than fits into one answer, without long texts, and continues after it', async () => {
    const person = world.person()
    const description = 'd'.repeat(1_900)
    const skills = Array.from({ length: 16 }, (_, n) => ({ ...draftOf().skills[0], id: `text.sing${n}`, description }))
    const ids: string[] = []
    for (let n = 0; n < 40; n++)
      ids.push((await publishListing(person.ctx, { type: 'listing.publish', listing: draftOf({ skills, readme: 'r' } as never) })).agent_id)
    const found: string[] = []
    let pages = 0
    for (let after: string | null | undefined; after !== null; pages++) {
      const page = await listListings(world.ctx, { ownerId: person.actor.did, ...(after && { after }) })
      expect(JSON.stringify(page.listings).length).toBeLessThan(limits.pageBytes + 10_000)
      expect(page.listings.every((listing) => listing.readme === '')).toBe(true)
      found.push(...page.listings.map((listing) => listing.agent_id))
      after = page.next
    }
    expect(pages).toBe(2)
    expect(found.toSorted()).toEqual(ids.toSorted())
  })
})

describe('getAgentInboxId', () => {
  it('finds the inbox of a listing, and none where there is no listing', async () => {
    const { agent_id } = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    const inbox = await getAgentInboxId(world.ctx, agent_id)
    expect(await world.db.room.findUnique({ where: { id: inbox } })).toMatchObject({ kind: 'inbox' })
    expect(await codeOf(getAgentInboxId(world.ctx, world.ctx.ids.next('agt')))).toBe('listing.not_found')
  })
})
