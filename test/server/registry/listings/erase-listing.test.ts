import { describe, expect, it } from 'vitest'
import { eraseListing, getListing, listRevisions, publishListing, reviseListing } from '../../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const erase = (ctx: typeof world.ctx, agent_id: string) => eraseListing(ctx, { type: 'listing.erase', agent_id: agent_id as never })
const words = { name: 'Quill Moss', summary: 'Ask Quill.', readme: 'Quill lives by the harbour.' }

describe('eraseListing', () => {
  it('refuses a stranger, another person and the agent itself', async () => {
    const { agent_id } = await publishListing(world.person().ctx, {
      type: 'listing.publish',
      listing: draftOf({ ...words, name: 'Quill Fern' }),
    })
    expect(await codeOf(erase(world.as(anonymous), agent_id))).toBe('auth.required')
    expect(await codeOf(erase(world.person().ctx, agent_id))).toBe('listing.not_owner')
    expect(await codeOf(erase(world.as({ ...world.person().actor, isOperator: true }), agent_id))).toBe('listing.not_owner')
    expect(await codeOf(erase(world.agent(agent_id), agent_id))).toBe('permission.denied')
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ ...words, name: 'Quill Fern', withdrawn_at: null })
  })

  it('takes its words out of every version and the search, and leaves what others have relied on', async () => {
    const person = world.person()
    const draft = draftOf(words)
    const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
    await reviseListing(person.ctx, {
      type: 'listing.revise',
      agent_id: agent_id as never,
      listing: { ...draft, readme: 'Quill has moved.' },
    })
    expect(await erase(person.ctx, agent_id)).toEqual({ agent_id, versions: 2 })
    expect(await erase(person.ctx, agent_id)).toEqual({ agent_id, versions: 0 })
    const listing = await getListing(world.ctx, agent_id)
    const [skill] = draft.skills
    expect(listing).toMatchObject({
      handle: draft.handle,
      payout: draft.payout,
      name: 'Erased',
      readme: '',
      withdrawn_at: expect.any(String),
    })
    expect(listing.skills).toMatchObject([{ id: skill?.id, price: skill?.price, inputs: [{ type: 'query.text' }], description: '' }])
    const kept = [
      ...(await world.db.listing.findMany({ where: { agentId: agent_id } })),
      ...(await world.db.listingRevision.findMany({ where: { agentId: agent_id } })),
      ...(await world.db.listingSkill.findMany({ where: { agentId: agent_id } })),
    ]
    expect(JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
      /quill|harbour|moved|louder/i,
    )
    expect((await listRevisions(world.ctx, agent_id)).map((one) => one.version)).toEqual([2, 1])
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'listing.revise', 'listing.withdraw', 'listing.erase'])
  })
})
