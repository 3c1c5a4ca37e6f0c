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
import { type Stage, setStage } from '../../../support/stage.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let stage: Stage
let signer: Signer
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  signer = await signerFromSeed(randomSeed())
  await world.system.db.membership.create({
    data: { roomId: stage.goal.roomId, memberId: signer.did, agentId: 'agt_keyed', role: 'member', joinedAt: new Date() },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const keyed = () =>
  world.world.contextFor({
    kind: 'agent',
    did: signer.did,
    agentId: 'agt_keyed',
    ownerDid: stage.publisher.did,
    hasKey: true,
  } satisfies Actor)
const draft = (more: object = {}) =>
  ({
    id: newMessageId(),
    room_id: stage.goal.roomId,
    sender_id: signer.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text: 'Hello.' }],
    ...more,
  }) as unknown as EnvelopeDraft
const post = (envelope: object) => dispatchCommand(keyed(), { type: 'message.post', room_id: stage.goal.roomId, envelope })

describe('postMessage', () => {
  it('refuses strangers, and members of other rooms', async () => {
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text: 'Hi' }] }), 'room.not_member')
    await expectProblem(stage.first.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text: 'Hi' }] }), 'room.not_member')
  })
  it('refuses an unsigned, a forged, a changed and a self-vouched envelope', async () => {
    const { head } = await getHead(world.system, stage.goal.roomId)
    const signed = await signEnvelope(signer, draft())
    const { sig: _sig, ...unsigned } = signed
    await expectProblem(post(unsigned), 'envelope.signature_invalid')
    await expectProblem(post({ ...signed, parts: [{ text: 'Changed.' }] }), 'envelope.signature_invalid')
    await expectProblem(post(await signEnvelope(await signerFromSeed(randomSeed()), draft())), 'envelope.signature_invalid')
    await expectProblem(post(await vouchEnvelope(signer, draft())), 'envelope.signature_invalid')
    expect((await getHead(world.system, stage.goal.roomId)).head).toBe(head)
  })
  it('refuses to speak for another, elsewhere, or about money', async () => {
    await expectProblem(post(await signEnvelope(signer, draft({ sender_id: stage.lead.did }))), 'envelope.sender_mismatch')
    await expectProblem(post(await signEnvelope(signer, draft({ room_id: `rom_${'9'.repeat(32)}` }))), 'envelope.sender_mismatch')
    await expectProblem(post(await signEnvelope(signer, draft({ payment: { kind: 'hold.captured' } }))), 'envelope.sender_mismatch')
  })
  it('refuses an act that records a command, signed or not, and takes every other', async () => {
    const { head } = await getHead(world.system, stage.goal.roomId)
    for (const type of recordingActs) {
      await expectProblem(post(await signEnvelope(signer, draft({ type }))), 'envelope.sender_mismatch')
      const unsigned = { type: 'message.post', room_id: stage.goal.roomId, act: type, parts: [{ text: 'I say so.' }] } as const
      await expectProblem(stage.lead.send(unsigned), 'envelope.sender_mismatch')
    }
    expect((await getHead(world.system, stage.goal.roomId)).head).toBe(head)
    const talk = [...speechActs.filter((act) => !recordingActs.includes(act)), 'urn:an-act-of-the-future']
    for (const type of talk) await post(await signEnvelope(signer, draft({ type })))
    expect((await getHead(world.system, stage.goal.roomId)).head).toBe(head + talk.length)
  })
  it('refuses what is too large, too deep, or demands what nobody here knows', async () => {
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
  it('is bounded in bytes also without an envelope, whatever its texts are made of', async () => {
    const say = (parts: object[]) => stage.client.send({ type: 'message.post', room_id: stage.goal.roomId, parts })
    const { head } = await getHead(world.system, stage.goal.roomId)
    await expectProblem(say(Array.from({ length: 64 }, () => ({ text: 'x'.repeat(65_000) }))), 'request.too_large')
    // Three bytes each, which no count of characters tells.
    await expectProblem(say(Array.from({ length: 5 }, () => ({ text: '€'.repeat(21_000) }))), 'request.too_large')
    const list = Array.from({ length: 5_000 }, () => 'abcdefgh')
    await expectProblem(say(Array.from({ length: 6 }, () => ({ data: { kind: 'x', list } }))), 'request.too_large')
    expect((await getHead(world.system, stage.goal.roomId)).head).toBe(head)
    await say([{ text: 'x'.repeat(65_000) }, { text: '€'.repeat(21_000) }])
    expect((await getHead(world.system, stage.goal.roomId)).head).toBe(head + 1)
  })
  it('takes a replayed message for the same message', async () => {
    const signed = await signEnvelope(signer, draft({ 'x-later': { keep: 'me' } }))
    const first = await post(signed)
    expect(await post(signed)).toEqual(first)
    const messages = await readMessages(world.system, { roomId: stage.goal.roomId, after: 0, limit: 100 })
    expect(messages.filter((message) => message.id === signed.id)).toMatchObject([{ 'x-later': { keep: 'me' }, sig: { alg: 'EdDSA' } }])
  })
  it('posts a message with a key once, also of two at once, and refuses the key for another message', async () => {
    const say = (text: string, key: string, who: Pick<typeof stage.client, 'send'> = stage.client) =>
      who.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text }], key })
    const { head } = await getHead(world.system, stage.goal.roomId)
    const [first, second] = await Promise.all([say('Once.', 'a'), say('Once.', 'a')])
    expect(second).toEqual(first)
    // The conversation goes on: its state is part of the envelope.
    await stage.lead.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text: 'Between.' }] })
    expect(await say('Once.', 'a')).toEqual(first)
    await expectProblem(say('Other words.', 'a'), 'request.id_reused')
    expect((await getHead(world.system, stage.goal.roomId)).head).toBe(head + 2)
    expect(await say('Once.', 'b')).toMatchObject({ seq: head + 3 })
    expect(await say('Words of another.', 'a', stage.lead)).toMatchObject({ seq: head + 4 })
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(say('Hi', 'a', stranger), 'room.not_member')
    expect(await world.system.db.idempotencyKey.count({ where: { actor: stranger.did } })).toBe(0)
  })
  it('changes nothing but the room, whatever the text says', async () => {
    const before = await world.goal(stage.goal.id)
    await post(
      await signEnvelope(
        signer,
        draft({ type: 'conclude', state: 'conclusion', parts: [{ data: { type: 'goal.conclude', outcome: 'delivered' } }] }),
      ),
    )
    await stage.client.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text: '{"type":"goal.cancel"}' }] })
    expect(await world.goal(stage.goal.id)).toEqual(before)
  })
  it('writes for those without a key, and says that it does', async () => {
    await stage.lead.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text: 'From the keyless.' }] })
    const messages = await readMessages(world.system, { roomId: stage.goal.roomId, after: 0, limit: 100 })
    expect(messages.at(-1)).toMatchObject({ sender_id: stage.lead.did, sig: { alg: 'session', kid: world.world.market.serverDid } })
  })
})
