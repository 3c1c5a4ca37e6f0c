import { type DelegationTerms, type DeliveredEnvelope, signDelegation, speechActs, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Actor, Context } from '../../../../server/context.ts'
import { joinRoom, openRoom, postInTransaction } from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { getHead, readStoredMessages } from '../../../../server/delivery/index.ts'
import { checkDelegation } from '../../../../server/identity/index.ts'
import { dayAround, delegationOf } from '../../../support/delegation.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'
import { type Member, makeMember, signedWord } from '../room-member.ts'

let world: TestWorld
let member: Member
let roomId: `rom_${string}`
let otherId: `rom_${string}`
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  member = await makeMember(world, 0)
  const open = async (goalId: string) => {
    const id = await inTransaction(world.system, (tx) => openRoom(tx, { goalId, clientId: 'did:web:c' }))
    await joinRoom(world.system, { roomId: id, memberId: member.did, agentId: null, ownerId: null, role: 'member' })
    return id
  }
  roomId = await open('gol_delegated')
  otherId = await open('gol_other')
})
afterAll(() => world?.[Symbol.asyncDispose]())

type AgentActor = Extract<Actor, { kind: 'agent' }>
/** The member on a connection with a delegation of these terms; without any for null. */
async function connectedWith(change: Partial<DelegationTerms> | null): Promise<Context> {
  const { delegation: _, ...actor } = member.ctx.actor as AgentActor
  const given = change && (await delegationOf(world.system, member.signer, change))
  return world.world.contextFor({ ...actor, ...(given && { delegation: given }) })
}
const post = (ctx: Context, more: object = {}) =>
  dispatchCommand(ctx, { type: 'message.post', room_id: roomId, parts: [{ text: 'Hello.' }], ...more }) as Promise<{ seq: number }>
const last = async (): Promise<DeliveredEnvelope> => {
  const { head } = await getHead(world.system, roomId)
  const [row] = await readStoredMessages(world.system, { roomId, after: head - 1, limit: 1 })
  return JSON.parse(row?.body ?? '') as DeliveredEnvelope
}
const seconds = () => Math.floor(world.clock.now().getTime() / 1_000)

describe('a text without the signature of an agent that has a key', () => {
  it('is posted under its delegation, which every reader can verify', async () => {
    const { seq } = await post(await connectedWith({}))
    const message = await last()
    expect(message).toMatchObject({ seq, sender_id: member.did, sig: { alg: 'session', kid: world.world.market.serverDid } })
    expect(await verifyEnvelope(message, world.world.market.serverDid)).toBe(true)
    const { delegation: _, ...sig } = message.sig
    expect(await verifyEnvelope({ ...message, sig }, world.world.market.serverDid)).toBe(false)
  })

  it('is refused without a delegation, and beyond its room and its time', async () => {
    const { head } = await getHead(world.system, roomId)
    const refused = async (ctx: Context) => expectProblem(post(ctx), 'envelope.signature_required')
    await refused(await connectedWith(null))
    await refused(await connectedWith({ room_id: otherId }))
    await refused(await connectedWith({ not_before: seconds() + 300 }))
    const ending = await connectedWith({ expires_at: seconds() + 60 })
    await post(ending)
    world.clock.advance(61_000)
    const problem = await refused(ending)
    expect(problem.hint).toContain("an envelope that the agent's key has signed")
    expect((await getHead(world.system, roomId)).head).toBe(head + 1)
    expect(await post(await connectedWith({ room_id: roomId }))).toMatchObject({ seq: head + 2 })
  })

  it('is the only thing that a delegation covers', async () => {
    const { head } = await getHead(world.system, roomId)
    const ctx = await connectedWith({})
    for (const act of ['propose', 'vote', 'pause', 'conclude', 'invite', 'error'])
      await expectProblem(post(ctx, { act }), 'envelope.signature_required')
    const artifact = { sha256: 'a'.repeat(64), name: 'a.txt', media_type: 'text/plain', size: 1, artifact_type: 'text.plain' }
    for (const part of [{ data: { kind: 'charter.accept' } }, { artifact }, { text: 'Hello.', more: 1 }])
      await expectProblem(post(ctx, { parts: [{ text: 'I agree.' }, part] }), 'envelope.signature_required')
    expect((await getHead(world.system, roomId)).head).toBe(head)
  })

  it('keeps its number when it is repeated under its key, also after its delegation has ended', async () => {
    const ending = await connectedWith({ expires_at: seconds() + 60 })
    const first = await post(ending, { key: 'once' })
    world.clock.advance(120_000)
    expect(await post(ending, { key: 'once' })).toEqual(first)
    expect(await post(await connectedWith(null), { key: 'once' })).toEqual(first)
    await expectProblem(post(ending, { key: 'later' }), 'envelope.signature_required')
  })
})

describe('a message that records a command', () => {
  it('is refused without the signature of an agent that has a key, for any delegation, and accepted with it', async () => {
    const ctx = await connectedWith({})
    const { head } = await getHead(world.system, roomId)
    for (const act of speechActs) {
      const unsigned = inTransaction(ctx, (tx) => postInTransaction(tx, { roomId, message: { act, parts: [{ text: 'I did.' }] } }))
      await expectProblem(unsigned, 'envelope.signature_required')
    }
    expect((await getHead(world.system, roomId)).head).toBe(head)
    await inTransaction(ctx, async (tx) => postInTransaction(tx, await signedWord(member, roomId, 'I did.', 'task_result')))
    expect(await last()).toMatchObject({ seq: head + 1, type: 'task_result', sig: { alg: 'EdDSA', kid: member.did } })
  })
})

describe('checkDelegation', () => {
  it('refuses one that has expired, begins later, is longer than a day, was changed, or is of another agent or server', async () => {
    const { signer } = member
    const other = await makeMember(world, 1)
    const day = dayAround(world.clock.now())
    const check = async (change: Partial<DelegationTerms>, by = signer, server = world.world.market.serverDid as string) =>
      checkDelegation(world.system, member.did, await signDelegation(by, server, { ...day, ...change }))
    const { canonical, ...terms } = await check({})
    expect(terms).toEqual(day)
    expect(JSON.parse(canonical)).toEqual(await signDelegation(signer, world.world.market.serverDid, day))
    const refused = (given: Promise<unknown>) => expectProblem(given, 'auth.delegation_invalid')
    await refused(check({ not_before: seconds() - 7_200, expires_at: seconds() }))
    await refused(check({ not_before: seconds() + 700, expires_at: seconds() + 900 }))
    await refused(check({ expires_at: day.not_before + 86_401 }))
    await refused(check({ expires_at: day.not_before }))
    await refused(check({}, other.signer))
    await refused(check({}, signer, other.did))
    const signed = await signDelegation(signer, world.world.market.serverDid, day)
    await refused(checkDelegation(world.system, member.did, { ...signed, room_id: roomId }))
    await refused(checkDelegation(world.system, other.did, signed))
  })

  it('keeps only the fields that are signed, because every message repeats them', async () => {
    const signed = await signDelegation(member.signer, world.world.market.serverDid, dayAround(world.clock.now()))
    const { canonical } = await checkDelegation(world.system, member.did, { ...signed, filler: 'x'.repeat(10_000) })
    expect(JSON.parse(canonical)).toEqual(signed)
  })
})
