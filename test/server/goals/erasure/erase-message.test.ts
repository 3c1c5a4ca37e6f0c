import { type DeliveredEnvelope, hashAfter, readErased, transcriptStart, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Context } from '../../../../server/context.ts'
import { readMessages, searchMessages } from '../../../../server/conversations/index.ts'
import { createCaller } from '../../../../server/trpc/app-router.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, doStep, type GoalFixture, newTaskId, sealTeamOf, textUpload } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

const secret = 'My number is KX-4711, please do not write it down.'
let world: TestWorld
let fixture: GoalFixture
let stranger: TestPerson
let operator: TestPerson
let taskId: string
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  stranger = await world.person({ usdc: 0n })
  operator = await world.person({ usdc: 0n, isOperator: true })
  await sealTeamOf(fixture)
  await talk(secret)
  taskId = await doStep(fixture, 1, fixture.first)
  const last = newTaskId()
  await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: last, step: 2 })
  await fixture.second.send({ type: 'task.complete', task_id: last, text: secret, artifacts: [textUpload(secret)] })
})
afterAll(() => world[Symbol.asyncDispose]())

const talk = (text: string) =>
  fixture.first.send<{ seq: number }>({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text }] })
const all = () => readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 500 })
const seqOf = async (is: (message: DeliveredEnvelope) => boolean) => (await all()).find(is)?.seq ?? 0
const talkSeq = () => seqOf(({ type, sender_id }) => type === 'discussion' && sender_id === fixture.first.did)
const resultSeq = () => seqOf(({ type, parts }) => type === 'task_result' && parts.some(({ text }) => text === secret))
const erase = (ctx: Context, seq: number, order?: string) =>
  dispatchCommand(ctx, { type: 'message.erase', room_id: fixture.goal.roomId as never, seq, ...(order && { order }) }) as Promise<{
    requester: string
  }>
const eraseFile = (ctx: Context, sha256: string, order?: string) =>
  dispatchCommand(ctx, { type: 'artifact.erase', room_id: fixture.goal.roomId as never, sha256, ...(order && { order }) })
const fileOf = async (task: string | null) =>
  (await world.system.db.artifact.findFirstOrThrow({ where: { goalId: fixture.goal.id, taskId: task ?? '' } })).sha256
/** The chain's hash after the last message, as any reader computes it; null where it does not hold together. */
async function chain(): Promise<string | null> {
  let hash: string | null = transcriptStart
  for (const message of await all()) {
    expect(await verifyEnvelope(message, world.world.market.serverDid)).toBe(true)
    hash = hash === null ? null : await hashAfter(hash, message, world.world.market.serverDid)
  }
  return hash
}
const head = async () => (await world.system.db.room.findUniqueOrThrow({ where: { id: fixture.goal.roomId } })).hash
const conclude = () =>
  fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: secret }] })

describe('eraseMessage', () => {
  it('refuses strangers, operators without an order, and orders of anyone who is none', async () => {
    const seq = await talkSeq()
    await expectProblem(erase(world.world.contextFor({ kind: 'anonymous' }), seq), 'auth.required')
    for (const ctx of [stranger.ctx, operator.ctx, fixture.second.ctx]) await expectProblem(erase(ctx, seq), 'message.not_entitled')
    await expectProblem(erase(fixture.client.ctx, seq, 'I say so.'), 'message.not_entitled')
    await expectProblem(erase(fixture.client.ctx, 9_999), 'room.not_found')
    expect(await countAudit(fixture, fixture.goal.id, 'message.erase')).toBe(0)
  })

  it('holds back what is evidence: while the goal continues, and while a step of it is disputed', async () => {
    const seq = await talkSeq()
    for (const ctx of [fixture.client.ctx, fixture.first.ctx, fixture.publisher.ctx])
      await expectProblem(erase(ctx, seq), 'message.erasure_blocked')
    await expectProblem(erase(operator.ctx, seq, '7 O 12/26'), 'message.erasure_blocked')
    await expectProblem(eraseFile(fixture.client.ctx, await fileOf(taskId)), 'message.erasure_blocked')
    await conclude()
    await expectProblem(erase(fixture.client.ctx, seq), 'message.erasure_blocked')
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    const facts = { goalId: fixture.goal.id, step: 1, charterVersion: 1, by: '0x', evidence: '', artifacts: [], evidenceHash: '0x' }
    const open = {
      id: 'dsp_1',
      ...facts,
      state: 'open' as const,
      openedTx: '0x',
      openedAt: world.clock.now(),
      createdAt: world.clock.now(),
    }
    await world.system.db.dispute.create({ data: open as never })
    await expectProblem(erase(fixture.client.ctx, seq), 'message.erasure_blocked')
    await expectProblem(eraseFile(fixture.client.ctx, await fileOf(taskId)), 'message.erasure_blocked')
    await world.system.db.dispute.deleteMany({ where: { id: 'dsp_1' } })
  })

  it('never erases charters, the answers to them, and messages of the server', async () => {
    const charter = await seqOf(({ type }) => type === 'propose')
    const answer = await seqOf(({ type }) => type === 'accept')
    const notice = await seqOf(({ sender_id }) => sender_id === world.world.market.serverDid)
    for (const seq of [charter, answer, notice]) {
      await expectProblem(erase(fixture.client.ctx, seq), 'message.not_erasable')
      await expectProblem(erase(operator.ctx, seq, '7 O 12/26'), 'message.not_erasable')
    }
  })

  it('leaves what was delivered for pay to who paid', async () => {
    for (const ctx of [fixture.second.ctx, fixture.publisher.ctx]) {
      await expectProblem(erase(ctx, await resultSeq()), 'message.not_entitled')
      await expectProblem(eraseFile(ctx, await fileOf(taskId)), 'message.not_entitled')
    }
  })

  it('takes the words out of the room, the search and the task, at their author’s, its owner’s or its client’s decision', async () => {
    const [discussion, result, conclusion] = [await talkSeq(), await resultSeq(), await seqOf(({ type }) => type === 'conclusion')]
    const before = await all()
    const conclusionHash = (await world.system.db.message.findFirstOrThrow({ where: { roomId: fixture.goal.roomId, seq: conclusion } }))
      .hash
    expect(await erase(fixture.first.ctx, discussion)).toMatchObject({ requester: 'author' })
    expect(await erase(fixture.client.ctx, result)).toMatchObject({ requester: 'client' })
    expect(await erase(operator.ctx, conclusion, '7 O 12/26')).toMatchObject({ requester: 'order' })
    const rows = await world.system.db.$queryRaw<{ found: string }[]>`
      select 'message' as found from "message" where "body" like ${`%${secret}%`}
      union all select 'task' from "task" where "resultText" like ${`%${secret}%`}
      union all select 'goal' from "goal" where "answer"::text like ${`%${secret}%`}`
    expect(rows).toEqual([])
    const found = await searchMessages(world.system, { roomId: fixture.goal.roomId, filter: { text: 'KX-4711' }, after: 0, limit: 10 })
    expect(found.total).toBe(0)
    const after = await all()
    for (const seq of [discussion, result, conclusion]) {
      const [old, now] = [before[seq - 1], after[seq - 1]]
      expect(now).toMatchObject({ id: old?.id, seq, received_at: old?.received_at, sender_id: world.world.market.serverDid })
      expect(now && readErased(now, world.world.market.serverDid)).toMatchObject({ sender_id: old?.sender_id })
      expect(now && readErased(now, 'did:key:z6MkSomebodyElse')).toBeNull()
    }
    // The hash that the payment carries is still the one after the conclusion.
    expect(readErased(after[conclusion - 1] as DeliveredEnvelope, world.world.market.serverDid)?.hash).toBe(conclusionHash)
    expect((await world.system.db.hold.findUniqueOrThrow({ where: { goalId: fixture.goal.id } })).conclusionHash).toBe(
      `0x${conclusionHash}`,
    )
    expect(await chain()).toBe(await head())
    expect(after.filter(({ parts }) => parts.some(({ data }) => data?.kind === 'message.erased'))).toHaveLength(3)
  })

  it('states who asked and on which requester in the audit, once however often it is asked', async () => {
    const seq = await seqOf(
      ({ type, sender_id, parts }) =>
        type === 'discussion' && parts.some(({ data }) => data?.kind === 'message.tombstone') && sender_id !== '',
    )
    expect(await erase(fixture.client.ctx, seq)).toMatchObject({ requester: 'author' })
    const rows = await world.system.db.auditEntry.findMany({
      where: { chain: fixture.goal.id, action: 'message.erase' },
      orderBy: { n: 'asc' },
    })
    expect(rows.map(({ after }) => (after as { requester: string }).requester)).toEqual(['author', 'client', 'order'])
    expect(rows.map(({ actor }) => actor)).toEqual(
      [fixture.first, fixture.client, operator].map((one) => expect.stringContaining('did' in one ? one.did : '')),
    )
    expect(rows.map(({ after }) => (after as { order: unknown }).order)).toEqual([null, null, '7 O 12/26'])
    expect(JSON.stringify(rows)).not.toContain('KX-4711')
  })

  it('lets no one change a message manually, also where another was erased', async () => {
    const { db } = world.system
    const [erased] = await db.erasedMessage.findMany({ take: 1 })
    for (const seq of [1, erased?.seq ?? 0])
      await expect(db.message.updateMany({ where: { roomId: fixture.goal.roomId, seq }, data: { body: '{}' } })).rejects.toThrow(
        'append-only',
      )
    await expect(db.message.deleteMany({ where: { roomId: fixture.goal.roomId, seq: erased?.seq ?? 0 } })).rejects.toThrow('append-only')
  })

  it('is had on the web by who is signed in', async () => {
    const web = (ctx: Context) =>
      createCaller({ ctx, services: null as never, token: null, userAgent: '', source: '127.0.0.1', reply: null, id: 'test' }).conversations
    const asked = { room_id: fixture.goal.roomId as never, seq: 1 }
    const cause = (work: Promise<unknown>) => work.catch((error: Error) => Promise.reject(error.cause))
    await expectProblem(cause(web(world.world.contextFor({ kind: 'anonymous' })).erase(asked)), 'auth.required')
    await expectProblem(cause(web(stranger.ctx).erase(asked)), 'message.not_entitled')
  })
})
