import { type Charter, charterHash } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { findCharterDraft } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, doStep, type GoalFixture, newTaskId } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let charter: Charter
let hash: string
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world, '', (client) =>
    world.postFundedGoal(client, { text: 'Write two short texts, please.', planner: 'copilot' }),
  )
  charter = fixture.charter()
  hash = await charterHash(charter)
})
afterAll(() => world[Symbol.asyncDispose]())

type Sender = { send: GoalFixture['client']['send'] }
const submit = (who: Sender, given: Charter = charter) =>
  who.send({ type: 'charter.submit', goal_id: fixture.goal.id, charter: given, reason: 'The cheapest two.' })
const confirm = (who: Sender, steps: number[], charter_hash = hash) =>
  who.send({ type: 'charter.confirm', goal_id: fixture.goal.id, charter_hash, steps })
const refuse = (who: Sender, reason: string, step?: number, charter_hash = hash) =>
  who.send({ type: 'charter.refuse', goal_id: fixture.goal.id, charter_hash, reason, ...(step !== undefined && { step }) })
const propose = (given: Charter = charter) => fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: given })
const assign = (step: number) => fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step })
const kinds = async () =>
  (await readStoredMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 }))
    .flatMap(({ body }) => (JSON.parse(body) as { parts: { data?: { kind?: string } }[] }).parts.map((part) => part.data?.kind ?? ''))
    .filter((kind) => /^charter\.(submitted|confirmed|refused)$/.test(kind))

describe('submitCharter', () => {
  it('refuses everyone but the principal, a charter that does not hold, and a goal whose client is not asked', async () => {
    await expectProblem(submit(fixture.client), 'permission.denied')
    await expectProblem(submit(fixture.first), 'room.not_member')
    await expectProblem(submit(fixture.lead, { ...charter, total: '11000000' }), 'team.charter_invalid')
    const other = await createFundedGoal(world, 'alone-')
    await expectProblem(
      other.lead.send({ type: 'charter.submit', goal_id: other.goal.id, charter: other.charter() }),
      'charter.wrong_state',
    )
    expect(await countAudit(fixture, fixture.goal.id, 'charter.submit')).toBe(0)
  })

  it('puts it before the client once, and invites no one by it', async () => {
    await expectProblem(propose(), 'charter.not_confirmed')
    expect(await submit(fixture.lead)).toEqual({ charter_hash: hash, number: 1 })
    expect(await submit(fixture.lead)).toEqual({ charter_hash: hash, number: 1 })
    expect(await countAudit(fixture, fixture.goal.id, 'charter.submit')).toBe(1)
    await expectProblem(propose(), 'charter.not_confirmed')
    expect(await findCharterDraft(world.system, fixture.goal.id)).toMatchObject({
      state: 'submitted',
      rationale: 'The cheapest two.',
      steps: [],
    })
  })
})

describe('the word of the client', () => {
  it('is no one else’s, and not given on what it has not read', async () => {
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(confirm(fixture.lead, []), 'permission.denied')
    await expectProblem(refuse(fixture.lead, 'No.'), 'permission.denied')
    await expectProblem(confirm(stranger, []), 'room.not_member')
    await expectProblem(refuse(stranger, 'No.'), 'room.not_member')
    await expectProblem(confirm(fixture.client, [], `0x${'0'.repeat(64)}`), 'charter.not_found')
    await expectProblem(confirm(fixture.client, [9]), 'charter.wrong_state')
    expect(await countAudit(fixture, fixture.goal.id, 'charter.confirm')).toBe(0)
  })

  it('refuses a charter permanently, with its reason in the room and in the audit, and asks about the next one again', async () => {
    await refuse(fixture.client, 'Swap the two.')
    await refuse(fixture.client, 'Swap the two.')
    expect(await countAudit(fixture, fixture.goal.id, 'charter.refuse')).toBe(1)
    await expectProblem(confirm(fixture.client, [1]), 'charter.wrong_state')
    await expectProblem(propose(), 'charter.not_confirmed')
    const titled = { ...charter, steps: charter.steps.map((step) => ({ ...step, title: `${step.title} again` })) }
    const old = hash
    charter = titled
    hash = await charterHash(charter)
    expect(await submit(fixture.lead)).toEqual({ charter_hash: hash, number: 2 })
    await expectProblem(confirm(fixture.client, [], old), 'charter.wrong_state')
  })

  it('lets agents be invited, and hands out the steps that it names and no other', async () => {
    await confirm(fixture.client, [1])
    await confirm(fixture.client, [1])
    expect(await countAudit(fixture, fixture.goal.id, 'charter.confirm')).toBe(1)
    await expectProblem(refuse(fixture.client, 'After all, no.'), 'charter.wrong_state')
    await propose()
    for (const member of [fixture.first, fixture.second])
      await member.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: hash })
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await world.until(
      'the charter on chain',
      async () => (await world.system.db.team.findUnique({ where: { goalId: fixture.goal.id } }))?.recordedAt,
    )
    await doStep(fixture, 1, fixture.first)
    await expectProblem(assign(2), 'charter.not_confirmed')
    await expectProblem(refuse(fixture.client, 'Not that.', 1), 'charter.wrong_state')
    await refuse(fixture.client, 'By somebody else.', 2)
    await expectProblem(assign(2), 'charter.not_confirmed')
    expect(await findCharterDraft(world.system, fixture.goal.id)).toMatchObject({
      state: 'refused',
      refusedStep: 2,
      reason: 'By somebody else.',
      steps: [1],
    })
    const next = { ...charter, version: 2 }
    charter = next
    hash = await charterHash(next)
    await submit(fixture.lead)
    await confirm(fixture.client, [])
    await confirm(fixture.client, [2])
    expect(await kinds()).toEqual([
      'charter.submitted',
      'charter.refused',
      'charter.submitted',
      'charter.confirmed',
      'charter.refused',
      'charter.submitted',
      'charter.confirmed',
      'charter.confirmed',
    ])
  })
})
