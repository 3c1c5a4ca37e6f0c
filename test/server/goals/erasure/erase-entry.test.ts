import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Context } from '../../../../server/context.ts'
import { listEntries, readEntryFile } from '../../../../server/goals/index.ts'
import { readArtifact } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, textUpload } from '../../../support/goal-fixture.ts'
import type { TestPerson } from '../../../support/world.ts'
import { newEntryId, openContests } from '../contest/contest-market.ts'

type Market = Awaited<ReturnType<typeof openContests>>
let market: Market
let operator: TestPerson
let goal: Awaited<ReturnType<Market['post']>>
let early: string
let lost: string
let won: string
beforeAll(async () => {
  market = await openContests()
  operator = await market.world.person({ usdc: 0n, isOperator: true })
  goal = await market.post()
  early = (await market.submit(market.ana, goal, { text: 'A first try.', artifacts: [textUpload('The first try.')] })).entry_id
  lost = (
    await market.submit(market.ana, goal, { text: 'Ask +49 30 1234.', artifacts: [textUpload('Only here.'), textUpload('In both.')] })
  ).entry_id
  won = (await market.submit(market.ben, goal, { artifacts: [textUpload('In both.'), textUpload('Attached too.')] })).entry_id
})
afterAll(() => market?.world[Symbol.asyncDispose]())

const erase = (ctx: Context, entry_id: string, order?: string) =>
  dispatchCommand(ctx, { type: 'entry.erase', entry_id, ...(order && { order }) } as never)
const rowOf = (id: string) => market.world.system.db.entry.findUniqueOrThrow({ where: { id } })
const hashesOf = async (id: string) => ((await rowOf(id)).files as { sha256: string }[]).map(({ sha256 }) => sha256)
const countBlobs = (sha256s: readonly string[]) => market.world.system.db.artifactBlob.count({ where: { sha256: { in: [...sha256s] } } })

describe('eraseEntry', () => {
  it('refuses while the contest is open, and does not say whether an entry of a stranger exists', async () => {
    await expectProblem(erase(market.ana.ctx, lost), 'message.erasure_blocked')
    await expectProblem(erase(operator.ctx, lost, '7 O 12/26'), 'message.erasure_blocked')
    await expectProblem(erase(market.client.ctx, newEntryId()), 'entry.not_found')
    await market.choose(goal, won)
    await market.approve(goal)
    await market.ended(goal, 'paid')
  })

  it('refuses strangers, other contestants, an order without its operator, and the payee of the paid work', async () => {
    await expectProblem(erase(market.world.world.contextFor({ kind: 'anonymous' }), lost), 'auth.required')
    for (const ctx of [market.stranger.ctx, market.ben.ctx, market.owners[1].ctx, operator.ctx])
      await expectProblem(erase(ctx, lost), 'message.not_entitled')
    await expectProblem(erase(market.stranger.ctx, lost, '7 O 12/26'), 'message.not_entitled')
    for (const ctx of [market.ben.ctx, market.owners[1].ctx]) await expectProblem(erase(ctx, won), 'message.not_entitled')
    expect((await rowOf(lost)).text).toBe('Ask +49 30 1234.')
    expect(await countAudit(market, goal.id, 'entry.erase')).toBe(0)
  })

  it('is offered to the client and to the owner of a declined entry', async () => {
    const offered = async (ctx: Context) => (await listEntries(ctx, goal.id)).map(({ id, can_erase }) => [id, can_erase])
    expect(await offered(market.client.ctx)).toEqual([
      [lost, true],
      [won, true],
    ])
    expect(await offered(market.owners[0].ctx)).toEqual([[lost, true]])
    expect(await offered(market.owners[1].ctx)).toEqual([[won, false]])
  })

  it('removes the text and the files of the agent’s entries once, and keeps a file that another entry has', async () => {
    const [first, only, both] = [...(await hashesOf(early)), ...(await hashesOf(lost))] as [string, string, string]
    expect(await countBlobs([first, only, both])).toBe(3)
    const answer = { goal_id: goal.id, entry_id: lost, requester: 'owner' }
    expect(await erase(market.owners[0].ctx, lost)).toEqual(answer)
    expect(await erase(market.owners[0].ctx, lost)).toEqual(answer)
    for (const id of [early, lost]) expect(await rowOf(id)).toMatchObject({ text: '', files: [], erasedAt: expect.any(Date) })
    expect(await countBlobs([first, only])).toBe(0)
    expect(await countBlobs([both])).toBe(1)
    expect(await countAudit(market, goal.id, 'entry.erase')).toBe(1)
    await expectProblem(readEntryFile(market.client.ctx, { entryId: lost, sha256: both }), 'entry.not_found')
    const [shown] = await listEntries(market.client.ctx, goal.id)
    expect(shown).toMatchObject({ id: lost, text: '', files: [], erased_at: expect.any(String), can_erase: false, state: 'declined' })
    expect((await rowOf(won)).text).toBe('The sea.')
  })

  it('erases a chosen entry and what was delivered of it under a legal order, and keeps what the client attached', async () => {
    const { db } = market.world.system
    const [sha256 = '', attached = ''] = await hashesOf(won)
    const delivered = await db.artifact.findFirstOrThrow({ where: { goalId: goal.id, sha256: attached } })
    const by = market.client.did
    await db.artifact.create({ data: { ...delivered, name: 'attached.txt', by, taskId: null } })
    expect((await market.world.goal(goal.id)).answer).not.toEqual([])
    expect(await erase(operator.ctx, won, '7 O 12/26')).toMatchObject({ requester: 'order' })
    expect((await rowOf(won)).text).toBe('')
    expect((await market.world.goal(goal.id)).answer).toEqual([])
    expect((await db.task.findMany({ where: { goalId: goal.id } })).map(({ resultText }) => resultText)).toEqual([''])
    expect(await db.artifact.findMany({ where: { goalId: goal.id, erasedAt: null } })).toMatchObject([{ by, sha256: attached }])
    expect([await countBlobs([sha256]), await countBlobs([attached])]).toEqual([0, 1])
    const { bytes } = await readArtifact(market.client.ctx, { roomId: goal.roomId, sha256: attached })
    expect(Buffer.from(bytes).toString()).toBe('Attached too.')
    const messages = JSON.stringify(await db.message.findMany({ where: { roomId: goal.roomId } }))
    expect(messages).toContain(`The file ${sha256.slice(0, 12)}… was erased.`)
    expect(messages).not.toContain(`The file ${attached.slice(0, 12)}… was erased.`)
    expect(messages).not.toContain('The sea.')
  })

  it('lets an agent and its owner erase their entry of a private contest, whose room they never joined', async () => {
    const contest = { max_entries: 2, entries_by: market.hours(2) }
    const secret = await market.world.postFundedGoal(market.client, {
      ...{ text: 'Write a secret text about the sea.', approves: false, deadlineMs: 24 * 3_600_000, vetoHours: 1 },
      more: { on_silence: 'refund', contest, visibility: 'private', planners: [market.ana.agentId, market.ben.agentId] },
    })
    const [mine, other] = [await market.submit(market.ana, secret), await market.submit(market.ben, secret)]
    await expectProblem(erase(market.stranger.ctx, mine.entry_id), 'entry.not_found')
    await market.client.send({ type: 'goal.cancel', goal_id: secret.id, reason: 'It is not needed.' })
    await market.ended(secret, 'refunded')
    await expectProblem(erase(market.cleo.ctx, mine.entry_id), 'entry.not_found')
    expect(await erase(market.ana.ctx, mine.entry_id)).toMatchObject({ requester: 'author' })
    expect(await erase(market.owners[1].ctx, other.entry_id)).toMatchObject({ requester: 'owner' })
    for (const { entry_id } of [mine, other]) expect((await rowOf(entry_id)).erasedAt).not.toBeNull()
  })
})
