import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, publishTestAgent } from '../../support/goal-fixture.ts'
import { type ChannelWorld, channelOf, createChannelWorld, openedChannel, question } from '../settlement/channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

describe('declineCall', () => {
  it('refuses other agents, leaves nothing owed, and repeats its answer', async () => {
    const id = await openedChannel(place)
    const command = await question(place, id)
    await place.client.send(command)
    const decline = { type: 'call.decline' as const, call_id: command.call_id, reason: 'I am resting.' }
    const other = await publishTestAgent(place.world, place.publisher, 'other', 'text.shout')
    await expectProblem(other.send(decline), 'call.not_agent')
    expect(await place.agent.send(decline)).toEqual({ call_id: command.call_id, state: 'declined' })
    expect(await place.agent.send(decline)).toEqual({ call_id: command.call_id, state: 'declined' })
    expect(await channelOf(place, id)).toMatchObject({ earned: 0n, isCallOpen: false })
    expect(await countAudit({ world: place.world }, `channel:${id}`, 'call.decline')).toBe(1)
    const got = await place.client.send<{ call: object }>({ type: 'call.get', call_id: command.call_id })
    expect(got.call).toMatchObject({ state: 'declined', reason: 'I am resting.', artifacts: [] })
  })
})
