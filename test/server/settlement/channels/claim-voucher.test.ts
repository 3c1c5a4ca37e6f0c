import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { submitChannelAction } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, textUpload } from '../../../support/goal-fixture.ts'
import {
  answeredCall,
  booksOf,
  type ChannelWorld,
  channelOf,
  createChannelWorld,
  drive,
  driveUntilDeath,
  logsOf,
  openedChannel,
  price,
  question,
} from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

describe('claimVoucher', () => {
  it('refuses everyone but the owner of the agent, and where nothing is earned', async () => {
    const { client, publisher } = place
    const id = await openedChannel(place)
    await expectProblem(client.send({ type: 'voucher.claim', channel_id: id }), 'permission.denied')
    await expectProblem(place.agent.send({ type: 'voucher.claim', channel_id: id }), 'permission.denied')
    await expectProblem(publisher.send({ type: 'voucher.claim', channel_id: id }), 'voucher.nothing_earned')
    await expectProblem(publisher.send({ type: 'voucher.claim', channel_id: `0x${'1'.repeat(64)}` }), 'channel.not_found')
  })

  it('sends what is earned to the publisher, claimed only when the log reports it, and repeats its answer', async () => {
    const { client, publisher, world } = place
    const id = await openedChannel(place)
    await answeredCall(place, id)
    const open = await question(place, id, { amount: 2n * price })
    await client.send(open)
    const command = { type: 'voucher.claim' as const, channel_id: id }
    expect(await publisher.send(command)).toMatchObject({ amount: price.toString() })
    expect(await publisher.send(command)).toMatchObject({ amount: price.toString() })
    expect(await channelOf(place, id)).toMatchObject({ claimed: 0n, unclaimed: price })
    await drive(place)
    // The open call's voucher has twice the amount and was not used.
    expect(await place.balance(publisher.account.address)).toBe(price)
    expect(await channelOf(place, id)).toMatchObject({ state: 'open', claimed: price, unclaimed: 0n })
    expect(await countAudit({ world }, `channel:${id}`, 'voucher.claim')).toBe(1)
    await place.agent.send({ type: 'call.decline', call_id: open.call_id, reason: 'No.' })
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('claims automatically from five USDC on, and not before', async () => {
    const before = await place.balance(place.publisher.account.address)
    const id = await openedChannel(place)
    await answeredCall(place, id, price)
    await answeredCall(place, id, 2n * price)
    await drive(place)
    expect((await channelOf(place, id)).claimed).toBe(0n)
    await answeredCall(place, id, 3n * price)
    await drive(place)
    expect((await channelOf(place, id)).claimed).toBe(3n * price)
    expect((await place.balance(place.publisher.account.address)) - before).toBe(3n * price)
  })

  it.each(['prepared', 'sent', 'seen', 'event_recorded'])('claims exactly once where the process dies at %s', async (point) => {
    const before = await place.balance(place.publisher.account.address)
    const id = await openedChannel(place)
    await answeredCall(place, id)
    await place.publisher.send({ type: 'voucher.claim', channel_id: id })
    await driveUntilDeath(place, point)
    await submitChannelAction(place.world.system, id)
    await drive(place)
    expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'Claimed'])
    expect((await place.balance(place.publisher.account.address)) - before).toBe(price)
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('gives the reason where the chain refuses a claim, and tries again when asked again', async () => {
    const id = await openedChannel(place)
    await answeredCall(place, id)
    const { voucher } = await place.world.system.db.channel.findUniqueOrThrow({ where: { id } })
    await place.world.system.db.channel.update({ where: { id }, data: { voucher: `0x${'11'.repeat(65)}`, attempts: 1 } })
    await place.publisher.send({ type: 'voucher.claim', channel_id: id })
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ claimed: 0n, failure: expect.stringContaining('voucher is already claimed') })
    await place.world.system.db.channel.update({ where: { id }, data: { voucher } })
    await place.publisher.send({ type: 'voucher.claim', channel_id: id })
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ claimed: price, failure: null })
  })
})

describe('what is earned', () => {
  it('counts answered calls only, regardless of other signed vouchers', async () => {
    const id = await openedChannel(place)
    const declined = await question(place, id)
    await place.client.send(declined)
    await place.agent.send({ type: 'call.decline', call_id: declined.call_id, reason: 'Not today.' })
    expect(await channelOf(place, id)).toMatchObject({ earned: 0n, isCallOpen: false })
    const row = await place.world.system.db.channel.findUniqueOrThrow({ where: { id } })
    expect([row.voucher, row.pendingVoucher]).toEqual([null, null])
    const next = await question(place, id)
    await place.client.send(next)
    await place.agent.send({ type: 'call.answer', call_id: next.call_id, artifacts: [textUpload('HELLO')] })
    expect(await channelOf(place, id)).toMatchObject({ earned: price })
  })
})
