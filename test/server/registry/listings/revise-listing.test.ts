import { describe, expect, it } from 'vitest'
import { getListing, listRevisions, publishListing, reviseListing, withdrawListing } from '../../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld, system } from '../../database-only-world.ts'

const world = openRoomWorld()

async function published() {
  const person = world.person()
  const draft = draftOf()
  const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
  return { person, draft, agent_id }
}
const revise = (ctx: typeof world.ctx, agent_id: string, listing: ReturnType<typeof draftOf>) =>
  reviseListing(ctx, { type: 'listing.revise', agent_id, listing })
const dearer = (draft: ReturnType<typeof draftOf>, price = '300000') => ({
  ...draft,
  skills: draft.skills.map((skill) => ({ ...skill, price })),
})

describe('reviseListing', () => {
  it('refuses a stranger, another person and the agent itself', async () => {
    const { draft, agent_id } = await published()
    expect(await codeOf(revise(world.as(anonymous), agent_id, dearer(draft)))).toBe('auth.required')
    expect(await codeOf(revise(world.person().ctx, agent_id, dearer(draft)))).toBe('listing.not_owner')
    expect(await codeOf(revise(world.agent(agent_id), agent_id, dearer(draft)))).toBe('permission.denied')
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ version: 1, skills: draft.skills })
  })

  it('refuses an unknown listing, another handle, a bad draft and a withdrawn listing', async () => {
    const { person, draft, agent_id } = await published()
    expect(await codeOf(revise(person.ctx, world.ctx.ids.next('agt'), draft))).toBe('listing.not_found')
    expect(await codeOf(revise(person.ctx, agent_id, { ...draft, handle: 'another-name' }))).toBe('request.malformed')
    expect(await codeOf(revise(person.ctx, agent_id, { ...draft, payout: world.ctx.market.escrow }))).toBe('listing.signature_invalid')
    expect(await codeOf(revise(person.ctx, agent_id, { ...draft, summary: '\u0007' }))).toBe('content.refused')
    await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id })
    expect(await codeOf(revise(person.ctx, agent_id, dearer(draft)))).toBe('listing.withdrawn')
  })

  it('makes a text as young as the revision that took it over, and keeps the age of a corrected one', async () => {
    const { person, draft, agent_id } = await published()
    const ageOf = async () =>
      world.clock.now().getTime() - (await world.db.listing.findUniqueOrThrow({ where: { agentId: agent_id } })).textSince.getTime()
    world.clock.advance(60_000)
    await revise(person.ctx, agent_id, dearer(draft))
    expect(await ageOf()).toBe(60_000)
    const [skill] = draft.skills
    if (!skill) throw new Error('the draft has a skill')
    const description = 'Surveys glaciers by drone and reports the loss of ice for each year.'
    await revise(person.ctx, agent_id, {
      ...draft,
      summary: 'Measures glaciers.',
      skills: [{ ...skill, name: 'Survey', description, tags: [] }],
    })
    expect(await ageOf()).toBe(0)
  })

  it('writes one audit row and one event, with the prices before and after', async () => {
    const { person, draft, agent_id } = await published()
    await revise(person.ctx, agent_id, dearer(draft))
    const rows = await world.db.auditEntry.findMany({ where: { chain: agent_id }, orderBy: { n: 'asc' } })
    expect(rows.map((row) => row.action)).toEqual(['listing.publish', 'listing.revise'])
    expect(rows[1]).toMatchObject({
      before: { prices: { 'text.shout': '250000' } },
      after: { version: 2, prices: { 'text.shout': '300000' } },
    })
    const events = await world.db.outboxEvent.findMany({ where: { body: { path: ['agent_id'], equals: agent_id } } })
    expect(events.map((row) => row.type).sort()).toEqual(['listing.published', 'listing.revised'])
  })

  it('replaces the skills and keeps every version', async () => {
    const { person, draft, agent_id } = await published()
    const [skill] = draft.skills
    if (!skill) throw new Error('the draft has a skill')
    const next = { ...draft, name: 'Whisperer', skills: [{ ...skill, id: 'text.whisper', price: '1' }] }
    world.clock.advance(1_000)
    expect(await revise(person.ctx, agent_id, next)).toEqual({ agent_id, version: 2 })
    const listing = await getListing(world.ctx, agent_id)
    expect(listing).toMatchObject({ ...next, version: 2, revised_at: world.clock.now().toISOString() })
    expect(
      (await listRevisions(world.ctx, agent_id)).map(({ version, changes }) => [version, changes.map((change) => change.what)]),
    ).toEqual([
      [2, ['skill_added', 'skill_removed', 'name']],
      [1, []],
    ])
  })

  it('makes no version of what has not changed', async () => {
    const { person, draft, agent_id } = await published()
    expect(await revise(person.ctx, agent_id, structuredClone(draft))).toEqual({ agent_id, version: 1 })
    await revise(person.ctx, agent_id, dearer(draft))
    expect(await revise(person.ctx, agent_id, dearer(draft))).toEqual({ agent_id, version: 2 })
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'listing.revise'])
  })

  it('takes revisions of one listing in sequence', async () => {
    const { person, draft, agent_id } = await published()
    const answers = await Promise.all(['1', '2', '3', '4'].map((price) => revise(person.ctx, agent_id, dearer(draft, price))))
    expect(answers.map(({ version }) => version).sort()).toEqual([2, 3, 4, 5])
    expect(await world.db.listingRevision.count({ where: { agentId: agent_id } })).toBe(5)
    expect(await world.db.listingSkill.count({ where: { agentId: agent_id } })).toBe(1)
  })

  it('lets the server itself revise', async () => {
    const { draft, agent_id } = await published()
    expect(await revise(world.as(system), agent_id, dearer(draft))).toEqual({ agent_id, version: 2 })
  })
})
