import { describe, expect, it } from 'vitest'
import {
  getListing,
  getListingRepresentation,
  listRevisions,
  publishListing,
  reviseListing,
  withdrawListing,
} from '../../../../server/registry/index.ts'
import { codeOf, draftOf, openRoomWorld, system } from '../../database-only-world.ts'

const world = openRoomWorld()

async function published(royalties?: { agent_id: string; bps: number }[]) {
  const person = world.person()
  const draft = draftOf(royalties && { royalties: royalties as never })
  const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
  return { person, draft, agent_id: agent_id as `agt_${string}` }
}
type Published = Awaited<ReturnType<typeof published>>
// The server's own hand: a person signs for it, see `change-payout.test.ts`.
const revise = ({ agent_id, draft }: Published, royalties: { agent_id: string; bps: number }[]) =>
  reviseListing(world.as(system), { type: 'listing.revise', agent_id, listing: { ...draft, royalties: royalties as never } })

describe('royalties of a listing', () => {
  it('are refused for who is not there, was withdrawn, or is the agent itself', async () => {
    const own = await published()
    const gone = await published()
    await withdrawListing(gone.person.ctx, { type: 'listing.withdraw', agent_id: gone.agent_id })
    for (const agent_id of [world.ctx.ids.next('agt'), gone.agent_id, own.agent_id])
      expect(await codeOf(revise(own, [{ agent_id, bps: 100 }]))).toBe('listing.royalty_refused')
    expect(await codeOf(published([{ agent_id: world.ctx.ids.next('agt'), bps: 100 }]))).toBe('listing.royalty_refused')
    expect(await getListing(world.ctx, own.agent_id)).toMatchObject({ version: 1 })
  })

  it('are refused in a circle, of two or of three', async () => {
    const first = await published()
    const second = await published([{ agent_id: first.agent_id, bps: 100 }])
    const third = await published([{ agent_id: second.agent_id, bps: 100 }])
    expect(await codeOf(revise(first, [{ agent_id: second.agent_id, bps: 100 }]))).toBe('listing.royalty_refused')
    expect(await codeOf(revise(first, [{ agent_id: third.agent_id, bps: 100 }]))).toBe('listing.royalty_refused')
    expect((await getListing(world.ctx, first.agent_id)).royalties).toBeUndefined()
  })

  it('are refused to the second of two that close a circle at the same moment', async () => {
    const [a, b] = [await published(), await published()]
    const codes = await Promise.all([
      codeOf(revise(a, [{ agent_id: b.agent_id, bps: 100 }])),
      codeOf(revise(b, [{ agent_id: a.agent_id, bps: 100 }])),
    ])
    expect(codes.filter((code) => code === 'listing.royalty_refused')).toHaveLength(1)
  })

  it('are shown with handle and payee, in their order, and follow the payee when it moves', async () => {
    const [one, two] = [await published(), await published()]
    const own = await published([
      { agent_id: two.agent_id, bps: 250 },
      { agent_id: one.agent_id, bps: 1_000 },
    ])
    expect((await getListing(world.ctx, own.agent_id)).royalties).toEqual([
      { agent_id: two.agent_id, bps: 250, handle: two.draft.handle, payee: two.draft.payout },
      { agent_id: one.agent_id, bps: 1_000, handle: one.draft.handle, payee: one.draft.payout },
    ])
    const payout = `0x${'5'.repeat(40)}`
    await reviseListing(world.as(system), { type: 'listing.revise', agent_id: two.agent_id, listing: { ...two.draft, payout } })
    expect((await getListing(world.ctx, own.agent_id)).royalties?.[0]?.payee).toBe(payout)
    expect(await getListingRepresentation(world.ctx, own.agent_id, 'markdown')).toContain(
      `- builds on: ${two.draft.handle}, with 2.5 % of its pay to ${payout}`,
    )
  })

  it('make a version when they change, and none when a shown listing comes back as it was', async () => {
    const one = await published()
    const own = await published([{ agent_id: one.agent_id, bps: 100 }])
    const shown = await getListing(world.ctx, own.agent_id)
    expect(await revise(own, shown.royalties ?? [])).toMatchObject({ version: 1 })
    expect(await revise(own, [])).toMatchObject({ version: 2 })
    expect(await revise(own, [])).toMatchObject({ version: 2 })
    expect((await getListing(world.ctx, own.agent_id)).royalties).toBeUndefined()
    expect((await listRevisions(world.ctx, own.agent_id))[0]?.changes).toEqual([{ what: 'royalties' }])
  })
})
