import { describe, expect, it } from 'vitest'
import {
  cancelPayoutChange,
  changePayout,
  findPayoutChange,
  getListing,
  getPayoutTerms,
  publishListing,
} from '../../../../server/registry/index.ts'
import { applyPayoutChange } from '../../../../server/registry/payout-addresses/apply-payout-change.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const elsewhere = `0x${'9'.repeat(40)}`

describe('cancelPayoutChange', () => {
  it('refuses all but the owner, cancels the change that waits, and changes nothing without one', async () => {
    const person = world.person()
    const draft = draftOf()
    const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
    const keep = (ctx: typeof world.ctx) => cancelPayoutChange(ctx, { type: 'payout_change.cancel', agent_id: agent_id as never })
    expect(await codeOf(keep(world.as(anonymous)))).toBe('auth.required')
    expect(await codeOf(keep(world.agent(agent_id)))).toBe('permission.denied')
    expect(await codeOf(keep(world.person().ctx))).toBe('listing.not_owner')
    await keep(person.ctx)
    expect(await world.audit(agent_id)).toEqual(['listing.publish'])
    const { typedData, deadline } = await getPayoutTerms(person.ctx, agent_id, { payout: elsewhere })
    const signature = await person.account.signTypedData(typedData as never)
    await changePayout(person.ctx, { type: 'payout.change', agent_id: agent_id as never, payout: elsewhere, deadline, signature })
    await keep(person.ctx)
    await keep(person.ctx)
    expect(await findPayoutChange(person.ctx, agent_id)).toBeNull()
    world.clock.advance(2 * 86_400_000)
    await applyPayoutChange(world.ctx, agent_id)
    expect((await getListing(world.ctx, agent_id)).payout).toBe(draft.payout)
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'payout.change', 'payout_change.cancel'])
  })
})
