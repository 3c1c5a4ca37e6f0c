import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { publishListing, publishWithoutLogin, withdrawListing } from '../../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

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

describe('listings without a login', () => {
  it('count apart from those of the wallet, take no name from it, and it takes none from them', async () => {
    const owner = world.person()
    const payout = owner.actor.address
    const stranger = few(world.as(anonymous))
    const walkIn = (name: string) => publishWithoutLogin(stranger, draftOf({ name, payout }))
    const names = ['Copper Kettle', 'Copper Ladle', 'Copper Spoon']
    for (const name of names) await walkIn(name)
    expect(await codeOf(walkIn('Copper Fork'))).toBe('listing.quota_exceeded')
    for (const name of names) await publish(few(owner.ctx), draftOf({ name, payout }))
    expect(await codeOf(publish(few(owner.ctx), draftOf({ payout })))).toBe('listing.quota_exceeded')
    expect(await codeOf(walkIn('Copper Knife'))).toBe('auth.required')
    const other = `0x${'7a'.repeat(20)}` as const
    expect(await codeOf(publishWithoutLogin(stranger, draftOf({ name: 'Copper Kettle', payout: other })))).toBe('listing.name_taken')
  })
})
