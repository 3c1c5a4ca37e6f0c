import { newMessageId } from '@parley/agents'
import { type EnvelopeDraft, limits, randomSeed, signEnvelope, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import { listPlanVersions } from '../../../../server/conversations/index.ts'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture, newTaskId, sealTeamOf, type TestAgent } from '../../../support/goal-fixture.ts'
import { openSubTeamRoom } from '../../../support/sub-team.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
})
afterAll(() => world?.[Symbol.asyncDispose]())

type Sender = Pick<TestAgent, 'send'>
const propose = (who: Sender, basedOn: number, text: string, roomId = fixture.goal.roomId) =>
  who.send<{ version: number; seq: number }>({ type: 'plan.propose', room_id: roomId, based_on: basedOn, text })
const plans = async (roomId = fixture.goal.roomId) => (await listPlanVersions(fixture.client.ctx, roomId)).versions

describe('proposePlan', () => {
  it('refuses everyone but who leads the room', async () => {
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(propose(fixture.client, 0, 'Mine.'), 'permission.denied')
    await expectProblem(propose(stranger, 0, 'Mine.'), 'permission.denied')
    await expectProblem(propose(fixture.first, 0, 'Mine.'), 'room.not_member')
    await sealTeamOf(fixture)
    await expectProblem(propose(fixture.first, 0, 'Mine.'), 'plan.not_lead')
    expect(await plans()).toEqual([])
    expect(await countAudit(fixture, fixture.goal.id, 'plan.propose')).toBe(0)
  })

  it('keeps each version with its author and time, once, and posts it in the room', async () => {
    const before = world.clock.now().getTime()
    const first = await propose(fixture.lead, 0, '1. Write.\n2. Send.')
    expect(await propose(fixture.lead, 0, '1. Write.\n2. Send.')).toEqual(first)
    const second = await propose(fixture.lead, 1, '1. Write.\n2. Read.\n3. Send.')
    expect([first.version, second.version]).toEqual([1, 2])
    const kept = await plans()
    expect(kept.map(({ at: _, ...one }) => one)).toEqual([
      { version: 2, authorId: fixture.lead.did, seq: second.seq, text: '1. Write.\n2. Read.\n3. Send.' },
      { version: 1, authorId: fixture.lead.did, seq: first.seq, text: '1. Write.\n2. Send.' },
    ])
    expect(kept.every(({ at }) => at.getTime() >= before)).toBe(true)
    expect(await countAudit(fixture, fixture.goal.id, 'plan.propose')).toBe(2)
    const [posted] = await readStoredMessages(world.system, { roomId: fixture.goal.roomId, after: second.seq - 1, limit: 1 })
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      type: 'propose',
      parts: [{ text: '1. Write.\n2. Read.\n3. Send.' }, { data: { kind: 'plan.version', version: 2, based_on: 1 } }],
    })
  })

  it('refuses a change of a version that is not the newest, and states which is', async () => {
    for (const basedOn of [0, 1, 3]) {
      const refused = await expectProblem(propose(fixture.lead, basedOn, 'Late.'), 'plan.outdated')
      expect(refused.facts).toMatchObject({ based_on: basedOn, newest: 2 })
    }
    expect((await plans())[0]?.version).toBe(2)
  })

  it('takes one of two changes that are made at once, and leaves no word of the other', async () => {
    const both = await Promise.allSettled(['One.', 'Other.'].map((text) => propose(fixture.lead, 2, text)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'plan.outdated' })
    const [kept] = await plans()
    expect(kept?.version).toBe(3)
    const log = await readStoredMessages(world.system, { roomId: fixture.goal.roomId, after: (kept?.seq ?? 0) - 1, limit: 100 })
    expect(log.filter(({ body }) => body.includes('plan.version'))).toHaveLength(1)
  })

  it('keeps only what its sender has signed, and that as it stands', async () => {
    const signer = await signerFromSeed(randomSeed())
    const { roomId } = fixture.goal
    const did = signer.did
    const role = { roomId, memberId: did, agentId: 'agt_keyed', role: 'principal', joinedAt: new Date() } as const
    await world.system.db.membership.create({ data: role })
    const ctx = world.world.contextFor({ kind: 'agent', did, agentId: 'agt_keyed', ownerDid: fixture.publisher.did, hasKey: true })
    const send = async (text: string, version: number) => {
      const data = { kind: 'plan.version', version, based_on: 3 }
      const draft = {
        id: newMessageId(),
        room_id: roomId,
        sender_id: did,
        state: 'discussion',
        type: 'propose',
        parts: [{ text }, { data }],
      }
      const envelope = await signEnvelope(signer, draft as unknown as EnvelopeDraft)
      return dispatchCommand(ctx, { type: 'plan.propose', room_id: roomId, based_on: 3, text: 'Signed.', envelope })
    }
    await expectProblem(send('Other words.', 4), 'envelope.sender_mismatch')
    await expectProblem(send('Signed.', 5), 'envelope.sender_mismatch')
    expect((await plans())[0]?.version).toBe(3)
    await send('Signed.', 4)
    expect((await plans())[0]).toMatchObject({ version: 4, authorId: did, text: 'Signed.' })
  })

  it('is each room’s own, also in a sub-team’s', async () => {
    const task = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: task, step: 1 })
    const { room_id } = await openSubTeamRoom(fixture.first, task)
    await expectProblem(propose(fixture.lead, 0, 'Not mine.', room_id), 'room.not_member')
    expect(await propose(fixture.first, 0, 'Ours.', room_id)).toMatchObject({ version: 1 })
    expect((await plans(room_id)).map(({ text }) => text)).toEqual(['Ours.'])
  })

  it('shows no plan of a private room to strangers', async () => {
    const hidden = await createFundedGoal(world, 'hidden-', (client, { agentId }) =>
      world.postFundedGoal(client, { text: 'Write two short texts, please.', visibility: 'private', planners: [agentId] }),
    )
    await propose(hidden.lead, 0, 'A secret.', hidden.goal.roomId)
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(listPlanVersions(stranger.ctx, hidden.goal.roomId), 'room.not_member')
    expect((await listPlanVersions(hidden.client.ctx, hidden.goal.roomId)).versions).toHaveLength(1)
  })
})

describe('listPlans', () => {
  it('gives the newest versions that fit into one answer, and reports that there are others', async () => {
    const { roomId } = await world.postFundedGoal(fixture.client, { text: 'A goal with many plans.' })
    const data = Array.from({ length: 60 }, (_, n) => ({
      ...{ roomId, version: n + 1, authorId: fixture.lead.did, seq: n + 1, text: '計'.repeat(16_000), at: new Date() },
    }))
    await world.system.db.planVersion.createMany({ data })
    const { versions, isWhole } = await listPlanVersions(fixture.client.ctx, roomId)
    expect(Buffer.byteLength(JSON.stringify(versions))).toBeLessThan(limits.pageBytes + 100)
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, n) => 60 - n))
    expect([isWhole, versions.length > 10]).toEqual([false, true])
    expect((await listPlanVersions(fixture.client.ctx, fixture.goal.roomId)).isWhole).toBe(true)
  })
})
