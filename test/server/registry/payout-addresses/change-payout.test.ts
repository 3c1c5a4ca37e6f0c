import { payoutDelayHours } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  cancelPayoutChange,
  changePayout,
  findPayoutChange,
  getListing,
  getPayoutTerms,
  publishListing,
  reviseListing,
  withdrawListing,
} from '../../../../server/registry/index.ts'
import { applyPayoutChange } from '../../../../server/registry/payout-addresses/apply-payout-change.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const elsewhere = `0x${'9'.repeat(40)}` as const
const delayMs = payoutDelayHours * 3_600_000

async function published() {
  const person = world.person()
  const draft = draftOf()
  const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
  return { person, draft, agent_id: agent_id as `agt_${string}` }
}
type Owner = ReturnType<typeof world.person>

async function signed({ ctx, account }: Owner, agent_id: `agt_${string}`, payout: string = elsewhere) {
  const { typedData, deadline } = await getPayoutTerms(ctx, agent_id, { payout })
  return { type: 'payout.change' as const, agent_id, payout, deadline, signature: await account.signTypedData(typedData as never) }
}
const payoutOf = async (agent_id: string) => (await getListing(world.ctx, agent_id)).payout

describe('changePayout', () => {
  it('is the only way to another payout or royalty: a login alone revises neither', async () => {
    const { person, draft, agent_id } = await published()
    const upstream = await published()
    const revise = (change: object) => reviseListing(person.ctx, { type: 'listing.revise', agent_id, listing: { ...draft, ...change } })
    expect(await codeOf(revise({ payout: elsewhere }))).toBe('listing.signature_invalid')
    expect(await codeOf(revise({ royalties: [{ agent_id: upstream.agent_id, bps: 100 }] }))).toBe('listing.signature_invalid')
    expect(await payoutOf(agent_id)).toBe(draft.payout)
    expect(await revise({ summary: 'Does it better.' })).toMatchObject({ version: 2 })
  })

  it('refuses all but the owner’s own signature over these values, in time and once', async () => {
    const { person, draft, agent_id } = await published()
    const command = await signed(person, agent_id)
    const refused = async (ctx: typeof world.ctx, change: object = {}) => codeOf(changePayout(ctx, { ...command, ...change } as never))
    expect(await refused(world.as(anonymous))).toBe('auth.required')
    expect(await refused(world.agent(agent_id))).toBe('permission.denied')
    expect(await refused(world.person().ctx)).toBe('listing.not_owner')
    const attacker = { ...world.person(), ctx: person.ctx }
    expect(await codeOf(changePayout(person.ctx, await signed(attacker, agent_id)))).toBe('listing.signature_invalid')
    expect(await refused(person.ctx, { payout: `0x${'8'.repeat(40)}` })).toBe('listing.signature_invalid')
    expect(await refused(person.ctx, { deadline: command.deadline + 1 })).toBe('listing.signature_invalid')
    expect(await refused(person.ctx, { payout: world.ctx.market.escrow })).toBe('request.malformed')
    await changePayout(person.ctx, command)
    expect(await refused(person.ctx)).toBe('listing.signature_invalid')
    const late = await signed(person, agent_id, draft.payout)
    world.clock.advance(3_700_000)
    expect(await codeOf(changePayout(person.ctx, late))).toBe('listing.signature_invalid')
  })

  it('keeps the old payout for a day, notifies the owner only, and is audited', async () => {
    const { person, draft, agent_id } = await published()
    const { effective_at } = await changePayout(person.ctx, await signed(person, agent_id))
    expect(await findPayoutChange(person.ctx, agent_id)).toMatchObject({ payout: elsewhere, effective_at })
    expect(await codeOf(findPayoutChange(world.person().ctx, agent_id))).toBe('listing.not_owner')
    world.clock.advance(delayMs - 1)
    await applyPayoutChange(world.ctx, agent_id)
    expect(await payoutOf(agent_id)).toBe(draft.payout)
    world.clock.advance(1)
    await applyPayoutChange(world.ctx, agent_id)
    await applyPayoutChange(world.ctx, agent_id)
    expect(await payoutOf(agent_id)).toBe(elsewhere)
    expect(await findPayoutChange(person.ctx, agent_id)).toBeNull()
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'payout.change', 'listing.revise', 'payout.apply'])
  })

  it('changes no more than the payee, regardless of concurrent revisions', async () => {
    const { person, draft, agent_id } = await published()
    await changePayout(person.ctx, await signed(person, agent_id))
    await reviseListing(person.ctx, { type: 'listing.revise', agent_id, listing: { ...draft, summary: 'Does it better.' } })
    world.clock.advance(delayMs)
    await applyPayoutChange(world.ctx, agent_id)
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ payout: elsewhere, summary: 'Does it better.', version: 3 })
  })

  it('is dropped with a listing that was withdrawn', async () => {
    const { person, draft, agent_id } = await published()
    await changePayout(person.ctx, await signed(person, agent_id))
    await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id })
    world.clock.advance(delayMs)
    await applyPayoutChange(world.ctx, agent_id)
    expect(await payoutOf(agent_id)).toBe(draft.payout)
    expect(await findPayoutChange(person.ctx, agent_id)).toBeNull()
    expect((await world.audit(agent_id)).at(-1)).toBe('payout.drop')
  })

  it('is replaced by the next change', async () => {
    const { person, agent_id } = await published()
    await changePayout(person.ctx, await signed(person, agent_id))
    world.clock.advance(delayMs / 2)
    await changePayout(person.ctx, await signed(person, agent_id, `0x${'8'.repeat(40)}`))
    world.clock.advance(delayMs / 2)
    await applyPayoutChange(world.ctx, agent_id)
    expect(await findPayoutChange(person.ctx, agent_id)).toMatchObject({ payout: `0x${'8'.repeat(40)}` })
    await cancelPayoutChange(person.ctx, { type: 'payout_change.cancel', agent_id })
  })
})
