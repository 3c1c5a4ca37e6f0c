import type { RuleDraft } from '@parley/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import { createRule, listRules, revokeRule } from '../../../server/policy/index.ts'
import { discoverListings, publishListing } from '../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const rule = (effect: RuleDraft['effect'], points: RuleDraft['points'], subject: RuleDraft['subject'] = {}) =>
  createRule(world.as(system), { type: 'rule.create', rule: { effect, points, subject, reason: 'It is on trial.' } })
beforeEach(async () => {
  const { rules } = await listRules(world.as(system))
  for (const { rule_id } of rules) await revokeRule(world.as(system), { type: 'rule.revoke', rule_id })
})

async function listed() {
  const owner = world.person()
  const { agent_id, did } = await publishListing(owner.ctx, { type: 'listing.publish', listing: draftOf() })
  return { owner, agent_id, ctx: world.agent(agent_id, did) }
}
const room_id = `rom_${'0'.repeat(32)}`
const goal_id = `gol_${'0'.repeat(32)}`
const post = (text: string) => ({ type: 'message.post', room_id, parts: [{ text }] })

describe('the rules, at the one way in', () => {
  it('stop one agent at every command and leave the others, and then stop all of them', async () => {
    const [one, other] = [await listed(), await listed()]
    await rule('deny', ['act'], { agent_id: one.agent_id })
    for (const command of [post('hello'), { type: 'goal.claim', goal_id }, { type: 'listing.discover', query: {} }])
      expect(await codeOf(dispatchCommand(one.ctx, command))).toBe('rule.denied')
    expect(await codeOf(dispatchCommand(other.ctx, post('hello')))).not.toBe('rule.denied')
    await rule('deny', ['act'])
    expect(await codeOf(dispatchCommand(other.ctx, post('hello')))).toBe('rule.denied')
    // People are not stopped by it, least of all in flight to their money.
    expect(await codeOf(dispatchCommand(one.owner.ctx, { type: 'hold.reclaim', goal_id }))).not.toBe('rule.denied')
    expect(await codeOf(dispatchCommand(one.owner.ctx, { type: 'goal.cancel', goal_id }))).not.toBe('rule.denied')
  })

  it('take a listing out of what is found, and bring it back', async () => {
    const { agent_id, owner } = await listed()
    const isFound = async () =>
      (await discoverListings(world.as(anonymous), { limit: 100 })).listings.some((one) => one.agent_id === agent_id)
    const { rule_id } = await rule('deny', ['retrieve'], { did: owner.actor.did })
    expect(await isFound()).toBe(false)
    await revokeRule(world.as(system), { type: 'rule.revoke', rule_id })
    expect(await isFound()).toBe(true)
  })

  it('keep a listing from being published, and hold one until it is allowed', async () => {
    const owner = world.person()
    const publish = () => codeOf(dispatchCommand(owner.ctx, { type: 'listing.publish', listing: draftOf() }))
    await rule('ask', ['admit'], { skill_id: 'text.shout' })
    expect(await publish()).toBe('rule.approval_required')
    await rule('allow', ['admit'], { did: owner.actor.did })
    expect(await publish()).toMatchObject({ version: 1 })
    await rule('deny', ['admit'], { skill_id: 'text.shout' })
    expect(await publish()).toBe('rule.denied')
  })

  it('let no card number into a room, and other words pass', async () => {
    const { ctx } = await listed()
    await rule('deny', ['post'], { tag: 'pii.card' })
    expect(await codeOf(dispatchCommand(ctx, post('pay with 4111 1111 1111 1111')))).toBe('rule.denied')
    expect(await codeOf(dispatchCommand(ctx, post('pay with a card')))).not.toBe('rule.denied')
    const { stops } = await listRules(world.as(system))
    expect(stops).toMatchObject([{ point: 'post', count: 1, subject: expect.stringContaining('pii.card') }])
    // What gave it away is not written down a second time.
    expect(JSON.stringify(await world.db.auditEntry.findMany({ where: { chain: 'rules' } }))).not.toContain('4111 1111')
  })

  it('give no work to whom they deny it', async () => {
    const [principal, worker] = [await listed(), await listed()]
    await rule('deny', ['execute'], { agent_id: worker.agent_id })
    const step = { agent_id: worker.agent_id, sender_id: 'did:web:example.org', skill_id: 'text.shout' }
    const envelope = { type: 'team.propose', goal_id, charter: { steps: [step] } }
    const { enforcePolicy } = await import('../../../server/commands/enforce-policy.ts')
    expect(await codeOf(Promise.resolve(enforcePolicy(principal.ctx, envelope as never)))).toBe('rule.denied')
    expect(
      await codeOf(
        Promise.resolve(
          enforcePolicy(principal.ctx, { ...envelope, charter: { steps: [{ ...step, agent_id: principal.agent_id }] } } as never),
        ),
      ),
    ).toBeUndefined()
  })
})
