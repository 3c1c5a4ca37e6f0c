import { describe, expect, it } from 'vitest'
import { discoverListings, findAgentByToken, getListing, publishListing, withdrawListing } from '../../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const withdraw = (ctx: typeof world.ctx, agent_id: string) => withdrawListing(ctx, { type: 'listing.withdraw', agent_id })

describe('withdrawListing', () => {
  it('refuses a stranger, another person and the agent itself', async () => {
    const { agent_id } = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    expect(await codeOf(withdraw(world.as(anonymous), agent_id))).toBe('auth.required')
    expect(await codeOf(withdraw(world.person().ctx, agent_id))).toBe('listing.not_owner')
    expect(await codeOf(withdraw(world.agent(agent_id), agent_id))).toBe('permission.denied')
    expect(await codeOf(withdraw(world.person().ctx, world.ctx.ids.next('agt')))).toBe('listing.not_found')
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ withdrawn_at: null })
  })

  it('removes it from the market with one audit row and one event, also when repeated', async () => {
    const person = world.person()
    const draft = draftOf()
    const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
    const first = await withdraw(person.ctx, agent_id)
    world.clock.advance(60_000)
    const later = await Promise.all([withdraw(person.ctx, agent_id), withdraw(person.ctx, agent_id)])
    expect(later).toEqual([first, first])
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'listing.withdraw'])
    const events = await world.db.outboxEvent.findMany({
      where: { type: 'listing.withdrawn', body: { path: ['agent_id'], equals: agent_id } },
    })
    expect(events).toHaveLength(1)
    const { listings } = await discoverListings(world.ctx, { text: draft.handle, limit: 50 })
    expect(listings.map((listing) => listing.agent_id)).not.toContain(agent_id)
  })

  it('leaves the listing readable and its agent able to finish', async () => {
    const person = world.person()
    const { agent_id, token } = await publishListing(person.ctx, { type: 'listing.publish', listing: draftOf() })
    await withdraw(person.ctx, agent_id)
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ withdrawn_at: expect.any(String) })
    expect(await findAgentByToken(world.ctx, token)).toMatchObject({ agentId: agent_id })
  })
})
