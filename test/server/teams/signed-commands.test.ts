import { newMessageId } from '@parley/agents'
import { type Charter, charterHash, type EnvelopeDraft, randomSeed, signEnvelope, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import { postInTransaction } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createFundedGoal, type GoalFixture } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

// A stolen token without the agent's key can send commands, but only with envelopes that the agent has signed.

let world: TestWorld
let fixture: GoalFixture
let lead: Context
let sign: (charter: Charter) => Promise<Record<string, unknown>>
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  const signer = await signerFromSeed(randomSeed())
  const { did } = signer
  const { roomId } = fixture.goal
  // The lead with a key of its own.
  await world.system.db.listing.update({ where: { agentId: fixture.lead.agentId }, data: { did } })
  await world.system.db.membership.updateMany({ where: { roomId, memberId: fixture.lead.did }, data: { memberId: did } })
  lead = world.world.contextFor({
    kind: 'agent',
    did: did as never,
    agentId: fixture.lead.agentId as never,
    ownerDid: fixture.publisher.did as never,
    hasKey: true,
  })
  sign = async (charter) => {
    const data = { kind: 'charter', charter, charter_hash: await charterHash(charter) }
    const content = { state: 'discussion', type: 'propose', parts: [{ data }] }
    const draft = { id: newMessageId(), room_id: roomId, sender_id: did, ...content }
    return (await signEnvelope(signer, draft as unknown as EnvelopeDraft)) as unknown as Record<string, unknown>
  }
})
afterAll(() => world?.[Symbol.asyncDispose]())

const charterOf = (version: number, title: string): Charter => {
  const charter = fixture.charter({ version, principal_id: 'did' in lead.actor ? lead.actor.did : '' } as never)
  return { ...charter, steps: charter.steps.map((step) => ({ ...step, title })) }
}
const propose = (charter: Charter, envelope: Record<string, unknown>) =>
  dispatchCommand(lead, { type: 'team.propose', goal_id: fixture.goal.id, charter, envelope } as never)

describe('a proposal by an agent with a key', () => {
  it('is refused if the signed envelope has another charter, or none', async () => {
    const signed = await sign(charterOf(1, 'Write'))
    await expectProblem(propose(charterOf(1, 'Something else'), signed), 'envelope.sender_mismatch')
    await propose(charterOf(1, 'Write'), signed)
    const team = await getTeam(world.system, fixture.goal.id)
    expect(team.charter.steps.map(({ title }) => title)).toEqual(['Write', 'Write'])
  })
})

describe('a signed message of a command', () => {
  it('records one command: a stolen token cannot send it again for another', async () => {
    const signed = await sign(charterOf(9, 'Write'))
    const message = { act: 'propose', parts: [] } as const
    const post = (mayRepeat = false) =>
      inTransaction(lead, (tx) => postInTransaction(tx, { roomId: fixture.goal.roomId, given: signed, message, mayRepeat }))
    const { seq } = await post()
    const refused = await expectProblem(post(), 'envelope.id_reused')
    expect(refused.facts).toMatchObject({ seq })
    expect((await post(true)).seq).toBe(seq)
  })
})

describe('a repeated proposal', () => {
  it('repeats its answer, and is refused with another signed content', async () => {
    const charter = charterOf(2, 'Write')
    const signed = await sign(charter)
    const first = await propose(charter, signed)
    expect(await propose(charter, signed)).toEqual(first)
    await expectProblem(propose(charter, await sign(charterOf(2, 'Read'))), 'request.id_reused')
  })
})
