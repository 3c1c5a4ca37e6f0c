import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getGoal, listGoals } from '../../../../server/goals/index.ts'
import { getHold } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, publishTestAgent } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let client: TestPerson
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  client = await world.person({ usdc: 0n })
})
afterAll(() => world[Symbol.asyncDispose]())

const brief = (changes: object = {}) => ({
  text: 'Write me a short text.',
  criteria: [{ text: 'It is short.' }],
  budget: '5000000',
  deadline: new Date(Date.now() + 3_600_000).toISOString(),
  ...changes,
})
const post = (who: { send: TestPerson['send'] }, changes: object = {}, id = newMessageId()) =>
  who.send<{ goal_id: string; room_id: string }>({ type: 'goal.post', id, goal: brief(changes) })

describe('postGoal', () => {
  it('refuses agents and strangers', async () => {
    const agent = await publishTestAgent(world, client, 'poster', 'text.post')
    await expectProblem(post(agent), 'permission.denied')
    const { dispatchCommand } = await import('../../../../server/commands/index.ts')
    await expectProblem(
      dispatchCommand(world.world.contextFor({ kind: 'anonymous' }), { type: 'goal.post', id: newMessageId(), goal: brief() }),
      'auth.required',
    )
  })
  it.each([
    ['a deadline in the past', { deadline: '2020-01-01T00:00:00Z' }, 'goal.deadline_passed'],
    ['a deadline beyond what a hold lasts', { deadline: '2099-01-01T00:00:00Z' }, 'goal.deadline_too_far'],
    ['a deadline of the year 9999', { deadline: '9999-12-31T23:59:59Z' }, 'goal.deadline_too_far'],
    [
      'a text of which nothing can be seen',
      { text: '\u200B\u2060\u3164\u2800\u00A0\u200B\u2060\u3164\u2800\u00A0\u200B' },
      'request.malformed',
    ],
    ['a text of which hardly anything can be seen', { text: `Hi${'\u200B'.repeat(20)}` }, 'request.malformed'],
    ['a criterion of which nothing can be seen', { criteria: [{ text: ' \u{E0001}\u200D ' }] }, 'request.malformed'],
    ['no budget', { budget: '0' }, 'goal.budget_invalid'],
    ['a budget of two base units', { budget: '2' }, 'goal.budget_invalid'],
    ['a budget below the least', { budget: '99999' }, 'goal.budget_invalid'],
    ['a negative budget', { budget: '-5' }, 'request.malformed'],
    ['no criteria', { criteria: [] }, 'request.malformed'],
    ['hardly a text', { text: 'Hi' }, 'request.malformed'],
    ['a text that hides its direction', { text: 'Pay \u202Eeno on this one please' }, 'content.refused'],
  ] as const)('refuses %s', async (_what, changes, code) => {
    await expectProblem(post(client, changes), code)
  })
  it('states how far away a deadline may be', async () => {
    const { message, facts } = await expectProblem(post(client, { deadline: '9999-12-31T23:59:59Z' }), 'goal.deadline_too_far')
    expect(message).toMatch(/90 days away/)
    expect(facts).toMatchObject({ days: 90, latest: expect.stringMatching(/^20\d\d-/) })
  })
  it('sets money aside in name only, and shows the goal to no one else', async () => {
    const { goal_id } = await post(client)
    expect(await getHold(world.system, goal_id)).toMatchObject({
      state: 'authorizing',
      total: 5_000_000n,
      client: client.account.address.toLowerCase(),
    })
    expect((await getGoal(client.ctx, goal_id)).state).toBe('funding')
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(getGoal(stranger.ctx, goal_id), 'goal.not_found')
    expect((await listGoals(stranger.ctx, { limit: 10 })).goals).toEqual([])
    expect(await countAudit({ world }, goal_id, 'goal.post')).toBe(1)
  })
  it('answers a repeated post with the first answer, also at the same moment', async () => {
    const id = newMessageId()
    const same = { deadline: new Date(Date.now() + 3_600_000).toISOString() }
    const answers = await Promise.all([post(client, same, id), post(client, same, id), post(client, same, id)])
    expect(new Set(answers.map((answer) => answer.goal_id)).size).toBe(1)
    expect(await post(client, same, id)).toEqual(answers[0])
  })
})
