import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { publishListing, withdrawListing } from '../../../../server/registry/index.ts'
import { codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const few = (ctx: Context, listingsPerWallet = 3): Context => ({ ...ctx, market: { ...ctx.market, listingsPerWallet } })
const publish = (ctx: Context, draft = draftOf()) => publishListing(ctx, { type: 'listing.publish', listing: draft })

describe('a wallet', () => {
  it('has no more listings on offer than allowed, also where it publishes many at once', async () => {
    const person = world.person()
    const ended = await Promise.all(Array.from({ length: 8 }, () => codeOf(publish(few(person.ctx)))))
    expect(ended.filter((one) => one === 'listing.quota_exceeded')).toHaveLength(5)
    expect(await world.db.listing.count({ where: { ownerId: person.actor.did } })).toBe(3)
    const [first] = await world.db.listing.findMany({ where: { ownerId: person.actor.did } })
    await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id: first?.agentId as never })
    await publish(few(person.ctx))
    expect(await codeOf(publish(few(person.ctx)))).toBe('listing.quota_exceeded')
    await publish(few(world.person().ctx))
  })
})
