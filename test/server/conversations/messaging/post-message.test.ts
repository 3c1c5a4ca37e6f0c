import { newMessageId } from '@parley/agents'
import {
  type EnvelopeDraft,
  randomSeed,
  recordingActs,
  type Signer,
  signEnvelope,
  signerFromSeed,
  speechActs,
  vouchEnvelope,
} from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Actor } from '../../../../server/context.ts'
import { readMessages } from '../../../../server/conversations/index.ts'
import { getHead } from '../../../../server/delivery/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let signer: Signer
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  signer = await signerFromSeed(randomSeed())
  await world.system.db.membership.create({
    data: { roomId: fixture.goal.roomId, memberId: signer.did, agentId: 'agt_keyed', role: 'member', joinedAt: new Date() },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const keyed = () =>
  world.world.contextFor({
    kind: 'agent',
    did: signer.did,
    agentId: 'agt_keyed',
    ownerDid: fixture.publisher.did,
    hasKey: true,
  } satisfies Actor)
const draft = (more: object = {}) =>
  ({
    id: newMessageId(),
    room_id: fixture.goal.roomId,
    sender_id: signer.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text: 'Hello.' }],
    ...more,
  }) as unknown as EnvelopeDraft
const post = (envelope: object) => dispatchCommand(keyed(), { type: 'message.post', room_id: fixture.goal.roomId, envelope })

describe('postMessage', () => {
  it('refuses strangers, and members of other rooms', async () => {
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text: 'Hi' }] }), 'room.not_member')
    await expectProblem(
      fixture.first.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text: 'Hi' }] }),
      'room.not_member',
    )
  })
  it('refuses an unsigned, a forged, a changed and a self-vouched envelope', async () => {
    const { head } = await getHead(world.system, fixture.goal.roomId)
    const signed = await signEnvelope(signer, draft())
    const { sig: _sig, ...unsigned } = signed
    await expectProblem(post(unsigned), 'envelope.signature_invalid')
    await expectProblem(post({ ...signed, parts: [{ text: 'Changed.' }] }), 'envelope.signature_invalid')
    await expectProblem(post(await signEnvelope(await signerFromSeed(randomSeed()), draft())), 'envelope.signature_invalid')
    await expectProblem(post(await vouchEnvelope(signer, draft())), 'envelope.signature_invalid')
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head)
  })
  it('refuses to speak for another, elsewhere, or about money', async () => {
    await expectProblem(post(await signEnvelope(signer, draft({ sender_id: fixture.lead.did }))), 'envelope.sender_mismatch')
    await expectProblem(post(await signEnvelope(signer, draft({ room_id: `rom_${'9'.repeat(32)}` }))), 'envelope.sender_mismatch')
    await expectProblem(post(await signEnvelope(signer, draft({ payment: { kind: 'hold.captured' } }))), 'envelope.sender_mismatch')
  })
  it('refuses an act that records a command, signed or not, and takes every other', async () => {
    const { head } = await getHead(world.system, fixture.goal.roomId)
    for (const type of recordingActs) {
      await expectProblem(post(await signEnvelope(signer, draft({ type }))), 'envelope.sender_mismatch')
      const unsigned = { type: 'message.post', room_id: fixture.goal.roomId, act: type, parts: [{ text: 'I say so.' }] } as const
      await expectProblem(fixture.lead.send(unsigned), 'envelope.sender_mismatch')
    }
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head)
    const talk = [...speechActs.filter((act) => !recordingActs.includes(act)), 'urn:an-act-of-the-future']
    for (const type of talk) await post(await signEnvelope(signer, draft({ type })))
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head + talk.length)
  })
  it('refuses what is too large, too deep, or demands what no one here knows', async () => {
    await expectProblem(
      post(await signEnvelope(signer, draft({ parts: Array.from({ length: 8 }, () => ({ text: 'x'.repeat(60_000) })) }))),
      'request.too_large',
    )
    await expectProblem(post(await signEnvelope(signer, draft({ 'x-blob': 'x'.repeat(9_000) }))), 'request.too_large')
    let deep: unknown = 1
    for (let i = 0; i < 40; i++) deep = [deep]
    await expectProblem(post({ ...(await signEnvelope(signer, draft())), deep }), 'request.malformed')
    await expectProblem(post(await signEnvelope(signer, draft({ crit: ['urn:future'] }))), 'request.unknown_critical')
  })
  it('is bounded in bytes also without an envelope, for all kinds of text', async () => {
    const postParts = (parts: object[]) => fixture.client.send({ type: 'message.post', room_id: fixture.goal.roomId, parts })
    const { head } = await getHead(world.system, fixture.goal.roomId)
    await expectProblem(postParts(Array.from({ length: 64 }, () => ({ text: 'x'.repeat(65_000) }))), 'request.too_large')
    // Three bytes each, which a count of characters does not show.
    await expectProblem(postParts(Array.from({ length: 5 }, () => ({ text: '€'.repeat(21_000) }))), 'request.too_large')
    const list = Array.from({ length: 5_000 }, () => 'abcdefgh')
    await expectProblem(postParts(Array.from({ length: 6 }, () => ({ data: { kind: 'x', list } }))), 'request.too_large')
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head)
    await postParts([{ text: 'x'.repeat(65_000) }, { text: '€'.repeat(21_000) }])
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head + 1)
  })
  it('takes a replayed message for the same message', async () => {
    const signed = await signEnvelope(signer, draft({ 'x-later': { keep: 'me' } }))
    const first = await post(signed)
    expect(await post(signed)).toEqual(first)
    const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 100 })
    expect(messages.filter((message) => message.id === signed.id)).toMatchObject([{ 'x-later': { keep: 'me' }, sig: { alg: 'EdDSA' } }])
  })
  it('posts a message with a key once, also of two at once, and refuses the key for another message', async () => {
    const postParts = (text: string, key: string, who: Pick<typeof fixture.client, 'send'> = fixture.client) =>
      who.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text }], key })
    const { head } = await getHead(world.system, fixture.goal.roomId)
    const [first, second] = await Promise.all([postParts('Once.', 'a'), postParts('Once.', 'a')])
    expect(second).toEqual(first)
    // The conversation continues: its state is part of the envelope.
    await fixture.lead.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text: 'Between.' }] })
    expect(await postParts('Once.', 'a')).toEqual(first)
    await expectProblem(postParts('Other words.', 'a'), 'request.id_reused')
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head + 2)
    expect(await postParts('Once.', 'b')).toMatchObject({ seq: head + 3 })
    expect(await postParts('Words of another.', 'a', fixture.lead)).toMatchObject({ seq: head + 4 })
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(postParts('Hi', 'a', stranger), 'room.not_member')
    expect(await world.system.db.idempotencyKey.count({ where: { actor: stranger.did } })).toBe(0)
  })
  it('changes nothing but the room, for any text', async () => {
    const before = await world.goal(fixture.goal.id)
    await post(
      await signEnvelope(
        signer,
        draft({ type: 'conclude', state: 'conclusion', parts: [{ data: { type: 'goal.conclude', outcome: 'delivered' } }] }),
      ),
    )
    await fixture.client.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text: '{"type":"goal.cancel"}' }] })
    expect(await world.goal(fixture.goal.id)).toEqual(before)
  })
  it('writes for those without a key, and reports that it does', async () => {
    await fixture.lead.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text: 'From the keyless.' }] })
    const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 100 })
    expect(messages.at(-1)).toMatchObject({ sender_id: fixture.lead.did, sig: { alg: 'session', kid: world.world.market.serverDid } })
  })
})
