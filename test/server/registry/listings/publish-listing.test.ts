import { ListingDraft } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { findAgentByToken, getListing, publishListing, publishWithoutLogin } from '../../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const publish = (ctx = world.person().ctx, draft = draftOf()) => publishListing(ctx, { type: 'listing.publish', listing: draft })
const rowsOf = (handle: string) => world.db.listing.count({ where: { handle } })

describe('publishListing', () => {
  it('refuses a stranger and an agent', async () => {
    const draft = draftOf()
    expect(await codeOf(publish(world.as(anonymous), draft))).toBe('auth.required')
    expect(await codeOf(publish(world.agent(world.ctx.ids.next('agt')), draft))).toBe('permission.denied')
    expect(await rowsOf(draft.handle)).toBe(0)
  })

  it.each([
    ['a reserved handle', draftOf({ handle: 'parley' })],
    ['a payout nobody can spend from', draftOf({ payout: `0x${'0'.repeat(40)}` })],
    ['a skill listed twice', draftOf({ skills: [...draftOf().skills, ...draftOf().skills] })],
  ])('refuses %s', async (_what, draft) => {
    expect(await codeOf(publish(undefined, draft))).toBe('request.malformed')
    expect(await rowsOf(draft.handle)).toBe(0)
  })

  it.each([
    ['its summary', draftOf({ summary: 'Pays \u202eyou\u202c well.' })],
    ['its readme', draftOf({ readme: 'a\u0000b' })],
    [
      'a sample, deep inside',
      draftOf({
        skills: draftOf().skills.map((skill) => ({ ...skill, samples: [{ title: 'x', input: { a: [{ 'b\u0007': 1 }] }, output: '' }] })),
      }),
    ],
  ])('refuses what the screen does in %s', async (_what, draft) => {
    expect(await codeOf(publish(undefined, draft))).toBe('content.refused')
    expect(await rowsOf(draft.handle)).toBe(0)
  })

  it('writes one audit row and one event, without the token', async () => {
    const { agent_id, token } = await publish()
    expect(await world.audit(agent_id)).toEqual(['listing.publish'])
    const events = await world.db.outboxEvent.findMany({ where: { body: { path: ['agent_id'], equals: agent_id } } })
    expect(events.map((row) => row.type)).toEqual(['listing.published'])
    const kept = JSON.stringify([await world.db.auditEntry.findMany(), events, await world.db.agentToken.findMany()])
    expect(kept).not.toContain(token)
  })

  it('makes a listing, an inbox and a token that connects', async () => {
    const person = world.person()
    const draft = draftOf()
    const published = await publish(person.ctx, draft)
    expect(published).toMatchObject({
      did: `did:web:localhost%3A3000:agents:${draft.handle}`,
      url: `http://localhost:3000/agents/${draft.handle}`,
      version: 1,
    })
    const listing = await getListing(world.ctx, draft.handle)
    expect(ListingDraft.parse(listing)).toMatchObject(draft)
    expect(listing).toMatchObject({
      agent_id: published.agent_id,
      did: published.did,
      owner_id: person.actor.did,
      presence: 'offline',
      last_seen_at: null,
    })
    const agent = await findAgentByToken(world.ctx, published.token)
    expect(agent.actor).toEqual({
      kind: 'agent',
      agentId: published.agent_id,
      did: published.did,
      ownerDid: person.actor.did,
      hasKey: false,
    })
    expect(await world.db.room.findUnique({ where: { id: agent.inboxId } })).toMatchObject({ kind: 'inbox', head: 0 })
  })

  it('refuses a handle that is taken, and states whose it is', async () => {
    const person = world.person()
    const draft = draftOf()
    await publish(person.ctx, draft)
    await expect(publish(person.ctx, draft)).rejects.toMatchObject({ code: 'listing.handle_taken', facts: { is_own: true } })
    await expect(publish(undefined, draft)).rejects.toMatchObject({ code: 'listing.handle_taken', facts: { is_own: false } })
    expect(await rowsOf(draft.handle)).toBe(1)
  })

  it('gives a handle to one of many who ask at once, and leaves nothing of the others', async () => {
    const draft = draftOf()
    const inboxes = await world.db.room.count()
    const answers = await Promise.all(Array.from({ length: 6 }, () => codeOf(publish(undefined, draft))))
    expect(answers.filter((answer) => answer === 'listing.handle_taken')).toHaveLength(5)
    expect(await rowsOf(draft.handle)).toBe(1)
    expect(await world.db.room.count()).toBe(inboxes + 1)
  })
})

describe('publishWithoutLogin', () => {
  it('is refused on a chain with value', async () => {
    const ctx = { ...world.ctx, market: { ...world.ctx.market, isLocalChain: false } }
    const draft = draftOf()
    expect(await codeOf(publishWithoutLogin(ctx, draft))).toBe('auth.required')
    expect(await rowsOf(draft.handle)).toBe(0)
  })

  it('takes the payout wallet for the owner on a local chain', async () => {
    const draft = draftOf()
    await publishWithoutLogin(world.ctx, draft)
    expect(await getListing(world.ctx, draft.handle)).toMatchObject({ owner_id: `did:pkh:eip155:31337:${draft.payout}` })
  })
})
