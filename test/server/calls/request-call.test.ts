import { createHash } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, inboxData, publishTestAgent, textUpload } from '../../support/goal-fixture.ts'
import {
  answeredCall,
  type ChannelWorld,
  channelOf,
  createChannelWorld,
  newCallId,
  openedChannel,
  price,
  question,
  signedTerms,
  voucher,
} from '../settlement/channel-world.ts'

let place: ChannelWorld
let id: `0x${string}`
beforeAll(async () => {
  place = await createChannelWorld()
  id = await openedChannel(place, 3n * price)
})
afterAll(() => place[Symbol.asyncDispose]())

describe('requestCall', () => {
  it('refuses strangers, vouchers of another sum, key or channel, and channels that the chain has not shown', async () => {
    const { client } = place
    const good = await question(place, id)
    const stranger = await place.world.person({ usdc: 0n })
    await expectProblem(stranger.send(good), 'permission.denied')
    const dear = await question(place, id, { amount: price + 1n })
    expect((await expectProblem(client.send(dear), 'voucher.invalid')).facts).toEqual({
      actual: (price + 1n).toString(),
      expected: price.toString(),
    })
    await expectProblem(client.send(await question(place, id, { amount: price - 1n })), 'voucher.invalid')
    const other = privateKeyToAccount(generatePrivateKey())
    await expectProblem(client.send({ ...good, signature: await voucher(place, id, price, other) }), 'voucher.invalid')
    const { quote, command } = await signedTerms(place)
    await expectProblem(client.send({ ...good, signature: await voucher(place, quote.channel_id, price) }), 'voucher.invalid')
    await client.send(command)
    await expectProblem(client.send(await question(place, quote.channel_id)), 'channel.wrong_state')
    expect(await place.world.system.db.call.count()).toBe(0)
  })

  it('refuses inputs that do not fit the skill', async () => {
    const ask = async (change: object) => place.client.send({ ...(await question(place, id)), ...change })
    const value = { port: 'in_0', type: 'text.plain', data: { text: 'x' } }
    await expectProblem(ask({ skill_id: 'text.whisper' }), 'call.input_invalid')
    await expectProblem(ask({ inputs: [] }), 'call.input_invalid')
    await expectProblem(ask({ inputs: [value, value] }), 'call.input_invalid')
    await expectProblem(ask({ inputs: [{ ...value, type: 'table.series' }] }), 'call.input_invalid')
    await expectProblem(ask({ inputs: [{ ...value, data: undefined }] }), 'call.input_invalid')
    expect(await channelOf(place, id)).toMatchObject({ isCallOpen: false })
  })

  it('refuses inputs that do not fit into one message, and reserves nothing', async () => {
    const inputs = [{ port: 'in_0', type: 'text.plain', data: { text: 'x', content: Array(5).fill('y'.repeat(55_000)) } }]
    await expectProblem(place.client.send(await question(place, id, { inputs })), 'request.too_large')
    expect(await channelOf(place, id)).toMatchObject({ isCallOpen: false })
    expect(await place.world.system.db.call.count({ where: { channelId: id } })).toBe(0)
  })

  it('puts it into the inbox with its files, once, and repeats the answer', async () => {
    const upload = textUpload('from a file')
    const sha256 = createHash('sha256').update('from a file').digest('hex')
    const { content: _content, ...named } = upload
    const artifact = { ...named, sha256, size: 11 }
    const command = await question(place, id, { inputs: [{ port: 'in_0', type: 'text.plain', artifact }], attachments: [upload] })
    const answer = await place.client.send(command)
    expect(answer).toMatchObject({ call_id: command.call_id, state: 'requested' })
    expect(await place.client.send(command)).toEqual(answer)
    await expectProblem(place.client.send({ ...command, skill_id: 'text.other' }), 'call.id_reused')
    const requested = (await inboxData({ world: place.world }, place.agent.agentId)).filter((one) => one.kind === 'call.requested')
    expect(requested).toEqual([
      expect.objectContaining({ call_id: command.call_id, skill_id: 'text.shout', price: price.toString(), inputs: command.inputs }),
    ])
    expect(await countAudit({ world: place.world }, `channel:${id}`, 'call.request')).toBe(1)
    const got = await place.agent.send<{ file: { content: string } }>({ type: 'call.get', call_id: command.call_id, sha256 })
    expect(Buffer.from(got.file.content, 'base64').toString()).toBe('from a file')

    await expectProblem(place.client.send(await question(place, id, { amount: price })), 'call.already_open')
    await place.agent.send({ type: 'call.answer', call_id: command.call_id, artifacts: [textUpload('HELLO')] })
  })

  it('lets one of two that come at once through', async () => {
    const both = await Promise.all([1, 2].map(() => question(place, id, { amount: 2n * price })))
    const ends = await Promise.allSettled(both.map((one) => place.client.send(one)))
    expect(ends.map((end) => end.status).sort()).toEqual(['fulfilled', 'rejected'])
    const open = await place.world.system.db.call.findFirstOrThrow({ where: { state: 'requested' } })
    await place.agent.send({ type: 'call.answer', call_id: open.id, artifacts: [textUpload('HELLO')] })
  })

  it('takes no more than the deposit, and nothing for another payout address or from a withdrawn listing', async () => {
    await answeredCall(place, id, 3n * price)
    const error = await expectProblem(place.client.send(await question(place, id, { amount: 4n * price })), 'voucher.invalid')
    expect(error.facts).toEqual({ amount: (4n * price).toString(), deposit: (3n * price).toString() })

    const { client, publisher, world } = place
    const moved = await publishTestAgent(world, publisher, 'mover', 'text.shout', ['text.plain'], { inputs: ['text.plain'], price })
    const there = await openedChannel({ ...place, agent: moved })
    await world.system.db.listing.update({ where: { agentId: moved.agentId }, data: { payout: `0x${'7'.repeat(40)}` } })
    await expectProblem(client.send(await question(place, there)), 'channel.wrong_state')
    await publisher.send({ type: 'listing.withdraw', agent_id: moved.agentId })
    await expectProblem(client.send(await question(place, there)), 'listing.withdrawn')
  })

  it('takes calls of an agent for its owner, and sends the agent the answer', async () => {
    const { world, client } = place
    const caller = await publishTestAgent(world, client, 'caller', 'goal.plan', ['plan'])
    const there = await openedChannel(place)
    const command = await question(place, there, { call_id: newCallId() })
    await caller.send(command)
    await place.agent.send({ type: 'call.answer', call_id: command.call_id, artifacts: [textUpload('HELLO')], text: 'Loud.' })
    const second = await question(place, there, { amount: 2n * price })
    await caller.send(second)
    await place.agent.send({ type: 'call.decline', call_id: second.call_id, reason: 'Too loud.' })
    expect((await inboxData({ world }, caller.agentId)).slice(-2)).toEqual([
      expect.objectContaining({ kind: 'call.answered', call_id: command.call_id, text: 'Loud.' }),
      expect.objectContaining({ kind: 'call.ended', call_id: second.call_id, state: 'declined', reason: 'Too loud.' }),
    ])
  })
})
