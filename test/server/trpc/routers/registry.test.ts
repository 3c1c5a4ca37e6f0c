import { describe, expect, it } from 'vitest'
import { publishListing } from '../../../../server/registry/index.ts'
import { createCaller } from '../../../../server/trpc/app-router.ts'
import { anonymous, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const registry = () =>
  createCaller({
    ...{ ctx: world.as(anonymous), services: {} as never, token: null, userAgent: '', source: '127.0.0.1', reply: null, id: 'test' },
  }).registry

describe('a search over tRPC', () => {
  it('refuses a condition that does not exist, and names those that do', async () => {
    const wrong = { maxPrice: '1', limit: 5 } as never
    for (const asked of [registry().discover(wrong), registry().listFacets(wrong)])
      await expect(asked).rejects.toThrow(/no condition maxPrice\. Use text, .*max_price/)
    expect(await registry().discover({ max_price: '1', limit: 5 })).toMatchObject({ listings: [] })
  })

  it('takes a currency in any letter case, and refuses what is none', async () => {
    await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    const { asset } = world.ctx.market
    const checksummed = asset.replace(/0x.*/, (address) => `0x${address.slice(2).toUpperCase()}`)
    expect(checksummed).not.toBe(asset)
    for (const currency of [asset, checksummed]) expect((await registry().discover({ currency, limit: 5 })).listings).toHaveLength(1)
    expect((await registry().discover({ currency: 'eip155:1/erc20:0x11', limit: 5 })).listings).toEqual([])
    await expect(registry().discover({ currency: 'USDC', limit: 5 })).rejects.toThrow(/must be a CAIP-19 id/)
  })
})
