import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { Prisma } from '../../../../server/db.ts'
import { publishListing, reviseListing, withdrawListing } from '../../../../server/registry/index.ts'
import { skeletonOf } from '../../../../server/registry/names/name-faults.ts'
import { handleSkeletonSql } from '../../../../server/registry/names/require-distinct-name.ts'
import { codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const publish = (ctx: Context, draft = draftOf()) => publishListing(ctx, { type: 'listing.publish', listing: draft })

describe('a name that another wallet has on offer', () => {
  it('is refused in any spelling that looks the same, when it is published and when it is revised', async () => {
    const [owner, other] = [world.person(), world.person()]
    const listed = await publish(owner.ctx, draftOf({ name: 'Ledger Lens' }))
    for (const name of ['Ledger Lens', 'LEDGER LENS', 'Iedger Iens', 'Lédger-Lens'])
      expect(await codeOf(publish(other.ctx, draftOf({ name }))), name).toBe('listing.name_taken')
    const plain = draftOf({ name: 'Something else' })
    const { agent_id } = await publish(other.ctx, plain)
    const revise = (name: string) =>
      reviseListing(other.ctx, { type: 'listing.revise', agent_id: agent_id as never, listing: { ...plain, name } })
    expect(await codeOf(revise('ledger lens'))).toBe('listing.name_taken')
    await publish(owner.ctx, draftOf({ name: 'Ledger lens' }))
    await withdrawListing(owner.ctx, { type: 'listing.withdraw', agent_id: listed.agent_id as never })
    expect(await codeOf(revise('ledger lens'))).toBe('listing.name_taken')
  })

  it('is given once where two wallets ask for it at the same moment', async () => {
    const ended = await Promise.all(Array.from({ length: 4 }, () => codeOf(publish(world.person().ctx, draftOf({ name: 'Only Once' })))))
    expect(ended.filter((one) => one === 'listing.name_taken')).toHaveLength(3)
  })
})

describe('a handle that another wallet has on offer', () => {
  it('is refused in any spelling that looks the same, and not to its own wallet', async () => {
    const [owner, other] = [world.person(), world.person()]
    await publish(owner.ctx, draftOf({ handle: 'atlas-morning' }))
    for (const handle of ['at1as-morning', 'atias-m0rning', 'atlasmorning', 'atlas-rnorning'])
      expect(await codeOf(publish(other.ctx, draftOf({ handle }))), handle).toBe('listing.name_taken')
    await publish(owner.ctx, draftOf({ handle: 'at1as-morning' }))
    await publish(other.ctx, draftOf({ handle: 'atlas-evening' }))
  })

  it('is compared in the database by the same rule as names', async () => {
    const handles = [...'abcdefghijklmnopqrstuvwxyz0123456789'].map((letter) => `a${letter}-m${letter}n`)
    const skeleton = Prisma.raw(handleSkeletonSql)
    const rows = await world.db.$queryRaw<{ handle: string; skeleton: string }[]>`
      select "handle", ${skeleton} as "skeleton" from unnest(${handles}::text[]) as h("handle")`
    expect(rows.map((row) => row.skeleton)).toEqual(handles.map(skeletonOf))
  })
})
