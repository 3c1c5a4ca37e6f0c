import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPersonInbox } from '../../../../server/notifications/index.ts'
import { agreeTeam, createFundedGoal, deliverForReview, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world, '', (client) =>
    world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours: 0 }),
  )
})
afterAll(() => world?.[Symbol.asyncDispose]())

const kinds = async (one = fixture) => (await readPersonInbox(one.client.ctx)).map(({ kind, id }) => [kind, id])

describe('readPersonInbox', () => {
  it('is empty for strangers, and while agents have the next move', async () => {
    expect(await readPersonInbox(world.world.contextFor({ kind: 'anonymous' }))).toEqual([])
    expect(await readPersonInbox((await world.person({ usdc: 0n })).ctx)).toEqual([])
    expect(await kinds()).toEqual([])
  })

  it('shows an open question', async () => {
    const { goal } = fixture
    // As a signed message of the planner with `expects: reply` leaves it, and an answer of the client.
    const write = (openQuestionId: string | null) =>
      world.system.db.conversation.update({ where: { roomId: goal.roomId }, data: { openQuestionId } })
    const [first, second] = [world.system.ids.uuid(), world.system.ids.uuid()]
    await write(first)
    expect(await kinds()).toEqual([['question', goal.id]])
    const subjects = async () => (await readPersonInbox(fixture.client.ctx)).map(({ subject }) => subject)
    expect(await subjects()).toEqual([`${goal.id}/${first}`])
    await write(second)
    expect(await subjects()).toEqual([`${goal.id}/${second}`])
    await write(null)
    expect(await kinds()).toEqual([])
  })

  it('shows a team that waits for its approval', async () => {
    await agreeTeam(fixture)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    expect(await kinds()).toEqual([['approve', fixture.goal.id]])
  })

  it('shows a goal that waits for its payment, and a result that waits for its review', async () => {
    const { client } = fixture
    const goal = {
      ...{ text: 'Write me a short text.', criteria: [{ text: 'It is short.' }], budget: '5000000' },
      deadline: new Date(world.clock.now().getTime() + 3_600_000).toISOString(),
    }
    const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal })
    expect(await kinds()).toContainEqual(['fund', goal_id])
    const other = await createFundedGoal(world, 'other-')
    await deliverForReview(other)
    const [item] = await readPersonInbox(other.client.ctx)
    expect(item).toMatchObject({ kind: 'review', id: other.goal.id, until: expect.any(String) })
  })

  it('shows a result that waits for its review behind many newer goals with long answers', async () => {
    const busy = await createFundedGoal(world, 'busy-')
    await deliverForReview(busy)
    const { id } = busy.goal
    const [count, length] = [60, 250_000]
    await world.system.db.$executeRaw`
      insert into "goal" select (jsonb_populate_record(g, jsonb_build_object(
        'id', 'gol_' || lpad(to_hex(n), 32, 'f'), 'postId', gen_random_uuid(), 'roomId', 'rom_' || lpad(to_hex(n), 32, 'f'),
        'answer', case when n <= 6 then jsonb_build_array(jsonb_build_object('kind', 'text', 'text', repeat('x', ${length}))) end
      ))).* from "goal" g, generate_series(1, ${count}) n where g."id" = ${id}`
    const items = await readPersonInbox(busy.client.ctx)
    expect(items).toHaveLength(count + 1)
    expect(items.at(-1)).toMatchObject({ kind: 'review', id })
  })
})
