import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expireCall } from '../../../server/calls/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, inboxData, publishTestAgent, textUpload } from '../../support/goal-fixture.ts'
import { type ChannelWorld, channelOf, createChannelWorld, openedChannel, price, question } from '../settlement/channel-world.ts'

let place: ChannelWorld
let id: `0x${string}`
beforeAll(async () => {
  place = await createChannelWorld()
  id = await openedChannel(place)
})
afterAll(() => place[Symbol.asyncDispose]())

const artifacts = [textUpload('HELLO')]

describe('answerCall', () => {
  it('refuses other agents, people, and answers without what the skill promises', async () => {
    const other = await publishTestAgent(place.world, place.publisher, 'other', 'text.shout')
    const { call_id } = await asked()
    const answer = { type: 'call.answer' as const, call_id, artifacts }
    await expectProblem(other.send(answer), 'call.not_agent')
    await expectProblem(place.publisher.send(answer), 'permission.denied')
    await expectProblem(place.agent.send({ ...answer, artifacts: [] }), 'call.input_invalid')
    await expectProblem(place.agent.send({ ...answer, artifacts: [textUpload('x', 'table.series')] }), 'call.input_invalid')
    await expectProblem(
      place.agent.send({ ...answer, artifacts: [{ ...textUpload('x'), media_type: 'image/png' }] }),
      'task.artifact_invalid',
    )
    await expectProblem(place.agent.send({ ...answer, call_id: `cal_${'0'.repeat(32)}` }), 'call.not_found')
    expect(await channelOf(place, id)).toMatchObject({ earned: 0n, isCallOpen: true })

    expect(await place.agent.send(answer)).toEqual({ call_id, state: 'answered' })
    expect(await place.agent.send(answer)).toEqual({ call_id, state: 'answered' })
    expect(await channelOf(place, id)).toMatchObject({ earned: price, isCallOpen: false })
    expect(await countAudit({ world: place.world }, `channel:${id}`, 'call.answer')).toBe(1)
    await expectProblem(place.agent.send({ type: 'call.decline', call_id, reason: 'Too late.' }), 'call.wrong_state')
  })

  it('is too late when the lease has ended: the call is void, and its voucher gone', async () => {
    const { call_id } = await asked(2n * price)
    await expireCall(place.world.system, call_id)
    expect(await channelOf(place, id)).toMatchObject({ isCallOpen: true })
    place.world.clock.advance(300_001)
    // The clock's job has not run yet: it is too late nevertheless.
    await expectProblem(place.agent.send({ type: 'call.answer', call_id, artifacts }), 'call.wrong_state')
    await expireCall(place.world.system, call_id)
    await expireCall(place.world.system, call_id)
    expect(await channelOf(place, id)).toMatchObject({ earned: price, isCallOpen: false })
    expect((await place.world.system.db.channel.findUniqueOrThrow({ where: { id } })).pendingVoucher).toBeNull()
    expect((await inboxData({ world: place.world }, place.agent.agentId)).at(-1)).toMatchObject({ kind: 'call.ended', state: 'expired' })
    await expectProblem(place.agent.send({ type: 'call.answer', call_id, artifacts }), 'call.wrong_state')
    // The same sum is signed for again, and pays.
    const next = await asked(2n * price)
    await place.agent.send({ type: 'call.answer', call_id: next.call_id, artifacts })
    expect(await channelOf(place, id)).toMatchObject({ earned: 2n * price })
  })
})

async function asked(amount = price) {
  const command = await question(place, id, { amount })
  await place.client.send(command)
  return command
}
