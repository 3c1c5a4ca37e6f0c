import { randomBytes } from 'node:crypto'
import { agent as runAgent } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCall, listSkillTests, listTestedSkills } from '../../../../server/calls/index.ts'
import { getListing } from '../../../../server/registry/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { inboxData, publishTestAgent, type TestAgent, textUpload } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let owner: TestPerson
let stranger: TestPerson
let worker: TestAgent
beforeAll(async () => {
  world = await createWorld()
  owner = await world.person({ usdc: 0n })
  stranger = await world.person({ usdc: 0n })
  worker = await publishTestAgent(world, owner, 'worker', 'text.shout', ['text.loud'], { inputs: ['query.text'] })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const newId = () => `cal_${randomBytes(16).toString('hex')}`
const inputs = [{ port: 'in_0', type: 'query.text', data: { text: 'hello' } }]
const asked = (more: object = {}) => ({
  ...{ type: 'skill.test' as const, call_id: newId(), agent_id: worker.agentId, skill_id: 'text.shout', inputs },
  ...more,
})
const lastTest = async (agentId = worker.agentId) => (await listSkillTests(owner.ctx, agentId))[0]
const isTested = async (agentId = worker.agentId) => (await listTestedSkills(stranger.ctx, [agentId])).length > 0

describe('listTestedSkills', () => {
  it('counts the agents that are part of Parley as tested, and no others', async () => {
    const ids = [worker.agentId]
    const house = { ...stranger.ctx, market: { ...stranger.ctx.market, housePublisher: owner.did as never } }
    expect(await listTestedSkills(house, ids)).toEqual([{ agent_id: worker.agentId, skill_id: 'text.shout' }])
    expect(await listTestedSkills(stranger.ctx, ids)).toEqual([])
  })
})

describe('testSkill', () => {
  it('refuses everyone but the owner', async () => {
    await expectProblem(stranger.send(asked()), 'listing.not_owner')
    await expectProblem(worker.send(asked() as never), 'permission.denied')
    await expectProblem(listSkillTests(stranger.ctx, worker.agentId), 'listing.not_owner')
    await expectProblem(listSkillTests(worker.ctx, worker.agentId), 'listing.not_owner')
    expect(await world.system.db.skillTest.count()).toBe(0)
  })

  it('refuses unknown skills and inputs that do not fit', async () => {
    await expectProblem(owner.send(asked({ skill_id: 'text.other' })), 'call.input_invalid')
    await expectProblem(owner.send(asked({ inputs: [] })), 'call.input_invalid')
    await expectProblem(owner.send(asked({ agent_id: `agt_${'0'.repeat(32)}` })), 'listing.not_found')
    expect(await world.system.db.skillTest.count()).toBe(0)
  })

  it('sends one task without a channel, repeats its answer, and keeps the answer of the agent', async () => {
    const test = asked()
    const first = await owner.send(test)
    expect(first).toMatchObject({ call_id: test.call_id, state: 'requested' })
    expect(await owner.send(test)).toEqual(first)
    await expectProblem(owner.send({ ...test, inputs: [{ ...inputs[0], data: { text: 'other' } }] }), 'request.id_reused')
    await expectProblem(owner.send(asked()), 'call.already_open')
    const requests = (await inboxData({ world }, worker.agentId)).filter((one) => one.kind === 'call.requested')
    expect(requests).toEqual([
      expect.objectContaining({ call_id: test.call_id, is_test: true, price: '0', inputs, outputs: ['text.loud'] }),
    ])
    expect(requests[0]).not.toHaveProperty('channel_id')

    const answer = { type: 'call.answer' as const, call_id: test.call_id, artifacts: [textUpload('HELLO', 'text.loud')], text: 'Loud.' }
    const other = await publishTestAgent(world, stranger, 'other', 'text.other')
    await expectProblem(other.send(answer), 'call.not_agent')
    expect(await isTested()).toBe(false)
    expect(await worker.send(answer)).toEqual({ call_id: test.call_id, state: 'answered' })
    expect(await worker.send(answer)).toEqual({ call_id: test.call_id, state: 'answered' })
    await expectProblem(worker.send({ type: 'call.decline', call_id: test.call_id, reason: 'No.' }), 'call.wrong_state')
    expect(await lastTest()).toMatchObject({
      state: 'passed',
      faults: [],
      text: 'Loud.',
      is_current: true,
      duration_ms: expect.any(Number),
    })
    expect(await isTested()).toBe(true)
  })

  it('lets the owner and the agent read its files, and no one else', async () => {
    const test = await lastTest()
    const read = { type: 'call.get' as const, call_id: test?.call_id as never, sha256: test?.artifacts[0]?.sha256 as never }
    const { file } = await getCall(owner.ctx, read)
    expect(Buffer.from(file?.content ?? '', 'base64').toString()).toBe('HELLO')
    expect((await getCall(worker.ctx, read)).call).toMatchObject({ state: 'answered', channel_id: null, price: '0' })
    await expectProblem(getCall(stranger.ctx, read), 'permission.denied')
    await expectProblem(getCall(world.world.contextFor({ kind: 'anonymous' }), read), 'auth.required')
  })

  it('fails if the agent declines, answers with other files, or is late; a version that has passed stays tested', async () => {
    const declined = asked()
    await owner.send(declined)
    await worker.send({ type: 'call.decline', call_id: declined.call_id, reason: 'There is no time.' })
    expect(await lastTest()).toMatchObject({ state: 'failed', faults: ['The agent declined: There is no time.'] })
    const wrong = asked()
    await owner.send(wrong)
    await worker.send({ type: 'call.answer', call_id: wrong.call_id, artifacts: [textUpload('x', 'text.quiet')], text: '' })
    expect(await lastTest()).toMatchObject({ state: 'failed', faults: [expect.stringContaining('text.loud')] })
    const late = asked()
    await owner.send(late)
    world.clock.advance(120_000)
    expect(await lastTest()).toMatchObject({ state: 'failed', faults: ['The agent did not answer in time.'], duration_ms: 120_000 })
    const answer = { type: 'call.answer' as const, call_id: late.call_id, artifacts: [textUpload('LATE', 'text.loud')], text: '' }
    await expectProblem(worker.send(answer), 'call.wrong_state')
    // One is kept for each version, and the ids of those before are gone.
    expect(await world.system.db.skillTest.count()).toBe(1)
    await expectProblem(worker.send({ ...answer, call_id: wrong.call_id }), 'call.not_found')
    expect(await isTested()).toBe(true)
  })

  it('is reset by a new version of the skill, and not by another price', async () => {
    const { handle, name, summary, readme, skills, payout, policy } = await getListing(owner.ctx, worker.agentId)
    const revise = (change: object) =>
      owner.send({
        type: 'listing.revise',
        agent_id: worker.agentId,
        listing: { handle, name, summary, readme, payout, policy, skills: skills.map((skill) => ({ ...skill, ...change })) },
      })
    await revise({ price: '5' })
    expect(await isTested()).toBe(true)
    await revise({ description: 'Does more.' })
    expect(await isTested()).toBe(false)
    expect(await lastTest()).toMatchObject({ is_current: false })
    await owner.send({ type: 'listing.withdraw', agent_id: worker.agentId })
    await expectProblem(owner.send(asked()), 'listing.withdrawn')
  })

  it('moves no money', async () => {
    const { db } = world.system
    expect(await Promise.all([db.channel.count(), db.call.count(), db.hold.count(), db.ledgerEntry.count()])).toEqual([0, 0, 0, 0])
  })

  it('is served by an agent of the library, whose answer is checked against the schema', async () => {
    const schema = { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] }
    const skill = (id: string) => ({
      ...{ id, name: id, description: '', price: '0' },
      inputs: [{ name: 'in_0', type: 'query.text' }],
      outputs: [{ name: 'count', type: 'text.count', schema }],
    })
    const { agent_id, token } = await world.publish(owner, { handle: 'counter', skills: [skill('text.good'), skill('text.bad')] as never })
    const session = await runAgent({
      url: world.hubUrl,
      token,
      skills: { 'text.good': ({ input }) => `{"words": ${input.text.length}}`, 'text.bad': () => '{"words": "many"}' },
    })
    for (const skill_id of ['text.good', 'text.bad']) await owner.send(asked({ agent_id, skill_id }))
    const tests = await world.until('both tests to end', async () => {
      const found = await listSkillTests(owner.ctx, agent_id)
      return found.every(({ state }) => state !== 'requested') && found
    })
    expect(Object.fromEntries(tests.map(({ skill_id, state, faults }) => [skill_id, [state, ...faults]]))).toEqual({
      'text.good': ['passed'],
      'text.bad': ['failed', expect.stringMatching(/^count: words: /)],
    })
    expect(await listTestedSkills(stranger.ctx, [agent_id])).toEqual([{ agent_id, skill_id: 'text.good' }])
    await session.close()
  })
})
