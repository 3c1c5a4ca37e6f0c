import type { ProblemCode } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { DomainError } from '../../../../server/errors.ts'
import { createCaller } from '../../../../server/trpc/app-router.ts'
import { answeredCall, type ChannelWorld, createChannelWorld, openedChannel, termsOf } from '../../settlement/channel-world.ts'

// Who is refused at each route, and what the two sides of a channel see.

let place: ChannelWorld
let id: `0x${string}`
let call_id: string
beforeAll(async () => {
  place = await createChannelWorld()
  id = await openedChannel(place)
  call_id = await answeredCall(place, id)
})
afterAll(() => place[Symbol.asyncDispose]())

const callAs = (ctx: Context) =>
  createCaller({ ctx, services: place.world.world, token: null, userAgent: '', source: '127.0.0.1', reply: null, id: 'test' }).channels
const noParty = () => callAs(place.world.world.contextFor({ kind: 'anonymous' }))

async function expectRefused(attempt: Promise<unknown>, code: ProblemCode): Promise<void> {
  const error = await attempt.then(
    () => new Error(`was not refused; expected ${code}`),
    (thrown: Error) => thrown,
  )
  if (!(error.cause instanceof DomainError)) throw error
  expect(error.cause.code, error.cause.message).toBe(code)
}

describe('channels', () => {
  it('are nothing for who has not signed in', async () => {
    await expectRefused(noParty().listMine({ side: 'client' }), 'auth.required')
    await expectRefused(noParty().get({ channel_id: id }), 'auth.required')
    await expectRefused(noParty().quote(termsOf(place)), 'auth.required')
    await expectRefused(noParty().close({ channel_id: id }), 'auth.required')
    await expectRefused(noParty().claim({ channel_id: id }), 'auth.required')
    await expectRefused(noParty().getFile({ call_id, sha256: '0'.repeat(64) }), 'auth.required')
    expect(await noParty().minDeposit()).toBe(500_000n)
  })

  it('are refused to strangers, and to each side what is the other’s', async () => {
    const stranger = callAs((await place.world.person({ usdc: 0n })).ctx)
    await expectRefused(stranger.get({ channel_id: id }), 'permission.denied')
    await expectRefused(stranger.getFile({ call_id, sha256: '0'.repeat(64) }), 'permission.denied')
    await expectRefused(stranger.close({ channel_id: id }), 'permission.denied')
    await expectRefused(callAs(place.client.ctx).claim({ channel_id: id }), 'permission.denied')
    await expectRefused(callAs(place.publisher.ctx).close({ channel_id: id }), 'permission.denied')
  })

  it('show both sides what was answered, and its file', async () => {
    for (const side of [place.client, place.publisher]) {
      const { channel, calls } = await callAs(side.ctx).get({ channel_id: id })
      expect(channel).toMatchObject({ state: 'open', earned: 2_000_000n })
      expect(calls).toMatchObject([{ call_id, state: 'answered' }])
      const sha256 = calls[0]?.artifacts[0]?.sha256 ?? ''
      const { file } = await callAs(side.ctx).getFile({ call_id, sha256 })
      expect(Buffer.from(file?.content ?? '', 'base64').toString()).toBe('HELLO')
    }
    expect(await callAs(place.publisher.ctx).claim({ channel_id: id })).toMatchObject({ state: 'open' })
  })
})
