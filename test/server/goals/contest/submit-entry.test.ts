import { createHash } from 'node:crypto'
import { newMessageId } from '@parley/agents'
import type { EntryCheck } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../../server/conversations/index.ts'
import { listEntries, readEntryFile } from '../../../../server/goals/index.ts'
import { readPersonInbox } from '../../../../server/notifications/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { publishTestAgent, textUpload } from '../../../support/goal-fixture.ts'
import { newEntryId, openContests } from './contest-market.ts'

let market: Awaited<ReturnType<typeof openContests>>
beforeAll(async () => {
  market = await openContests()
})
afterAll(() => market?.world[Symbol.asyncDispose]())

describe('posting a contest', () => {
  const brief = (changes: object) => ({
    ...{ text: 'Write about the sea.', criteria: [{ text: 'It is short.' }], budget: '10000000', deadline: market.hours(24) },
    contest: { max_entries: 2, entries_by: market.hours(2) },
    ...changes,
  })
  const send = (changes: object, more: object = {}) =>
    market.client.send({ type: 'goal.post', id: newMessageId(), goal: brief(changes), ...more })

  it.each([
    ['another planner mode', () => ({ planner: 'copilot' }), /not planned here/],
    ['preferences about a team', () => ({ team: { max_agents: 2 } }), /no team preferences/],
    ['entries until after the deadline', () => ({ contest: { max_entries: 2, entries_by: market.hours(25) } }), /has to be before/],
    ['silence that pays without a veto window', () => ({ on_silence: 'pay', veto_hours: 0 }), /`veto_hours` of at least 1/],
  ])('is refused with %s', async (_, changes, reason) => {
    expect((await expectProblem(send(changes()), 'goal.contest_invalid')).message).toMatch(reason)
  })

  it('is refused with a place for one only, and with a check that is too large', async () => {
    await expectProblem(send({ contest: { max_entries: 1, entries_by: market.hours(2) } }), 'request.malformed')
    const schema = { description: 'x'.repeat(20_000) }
    await expectProblem(
      send({ contest: { max_entries: 2, entries_by: market.hours(2), check: { kind: 'json_schema', schema } } }),
      'request.malformed',
    )
  })
})

describe('an entry', () => {
  it('is refused of everyone who may not submit, and says why', async () => {
    const goal = await market.post()
    const worker = await publishTestAgent(market.world, market.owners[0], 'worker', 'text.first')
    await expectProblem(market.submit(worker, goal), 'goal.not_principal')
    await expectProblem(
      market.client.send({ type: 'entry.submit', goal_id: goal.id, entry_id: newEntryId(), price: '1', text: 'x' }),
      'permission.denied',
    )
    await expectProblem(market.ana.send({ type: 'goal.claim', goal_id: goal.id }), 'goal.wrong_state')
    await expectProblem(market.submit(market.ana, goal, { price: '0' }), 'entry.refused')
    await expectProblem(market.submit(market.ana, goal, { price: '9756099' }), 'entry.refused')
    await expectProblem(market.submit(market.ana, goal, { text: ' ', artifacts: [] }), 'entry.refused')
    await expectProblem(market.submit(market.ana, goal, { text: 'Pay \u202Eeno on this one' }), 'content.refused')
    const own = await publishTestAgent(market.world, market.client, 'own-agent', 'goal.plan', ['plan'])
    expect((await expectProblem(market.submit(own, goal), 'entry.refused')).message).toMatch(/client of a contest/)
    const usual = await market.world.postFundedGoal(market.client, { text: 'Write a usual text.' })
    await expectProblem(market.submit(market.ana, usual), 'goal.wrong_state')
  })

  it('takes one place of its owner, replaces the earlier one, and repeats its answer', async () => {
    const goal = await market.post()
    const entry_id = newEntryId()
    const first = await market.submit(market.ana, goal, { entry_id })
    expect(await market.submit(market.ana, goal, { entry_id })).toEqual(first)
    await expectProblem(market.submit(market.ana, goal, { entry_id, text: 'Another text.' }), 'request.id_reused')
    await expectProblem(market.submit(market.ben, goal, { entry_id }), 'entry.refused')
    const second = await market.submit(market.ana, goal, { price: '900000' })
    expect((await listEntries(market.client.ctx, goal.id)).map(({ id }) => id)).toEqual([second.entry_id])
    const twin = await publishTestAgent(market.world, market.owners[0], `twin-${Date.now()}`, 'goal.plan', ['plan'])
    expect((await expectProblem(market.submit(twin, goal), 'entry.refused')).message).toMatch(/same owner/)
    await market.submit(market.ben, goal)
    expect((await expectProblem(market.submit(market.cleo, goal), 'entry.refused')).message).toMatch(/all places are taken/)
    for (let n = 0; n < 8; n++) await market.submit(market.ana, goal)
    expect((await expectProblem(market.submit(market.ana, goal), 'entry.refused')).message).toMatch(/at most 10 times/)
    await market.warp(2 * 3_600)
    expect((await expectProblem(market.submit(market.ben, goal), 'entry.refused')).message).toMatch(/were accepted until/)
  })

  it('is read by its client, its agent and its owner only', async () => {
    const goal = await market.post()
    const { entry_id } = await market.submit(market.ana, goal)
    await market.submit(market.ben, goal)
    const [file] = (await listEntries(market.client.ctx, goal.id))[0]?.files ?? []
    const ask = { entryId: entry_id, sha256: file?.sha256 ?? '' }
    expect(await listEntries(market.client.ctx, goal.id)).toHaveLength(2)
    for (const reader of [market.owners[0], market.ana]) {
      expect((await listEntries(reader.ctx, goal.id)).map(({ id }) => id)).toEqual([entry_id])
      expect(Buffer.from((await readEntryFile(reader.ctx, ask)).bytes).toString()).toBe('The sea is wide.')
    }
    for (const other of [market.stranger, market.ben, market.owners[1]]) {
      expect((await listEntries(other.ctx, goal.id)).map(({ id }) => id)).not.toContain(entry_id)
      await expectProblem(readEntryFile(other.ctx, ask), 'entry.not_found')
    }
    // Nor does the room, which anyone can read, say anything about it.
    const room = JSON.stringify(await readMessages(market.world.system, { roomId: goal.roomId, after: 0, limit: 200 }))
    expect(room).not.toContain(entry_id)
    expect(room).not.toContain(file?.sha256)
    expect(await readPersonInbox(market.client.ctx)).toContainEqual(
      expect.objectContaining({ id: goal.id, kind: 'review', until: goal.deadline.toISOString() }),
    )
  })

  it('does not exist for those that may not read its private contest', async () => {
    const goal = await market.world.postFundedGoal(market.client, {
      ...{ text: 'Write a private text.', approves: false, visibility: 'private', planners: [market.ana.agentId ?? ''] },
      more: { contest: { max_entries: 2, entries_by: market.hours(0.5) }, on_silence: 'refund' },
    })
    const { entry_id } = await market.submit(market.ana, goal)
    await expectProblem(market.submit(market.ben, goal), 'goal.not_found')
    await expectProblem(market.choose(goal, entry_id, market.stranger), 'goal.not_found')
    await expectProblem(listEntries(market.stranger.ctx, goal.id), 'goal.not_found')
  })
})

describe('a check', () => {
  const sha256 = createHash('sha256').update('The sea is wide.').digest('hex')
  const json = (value: unknown) => ({
    ...textUpload(''),
    name: 'a.json',
    media_type: 'application/json',
    content: Buffer.from(JSON.stringify(value)).toString('base64'),
  })
  const code = (text: string) => ({
    ...textUpload(''),
    name: 'a.txt',

    content: Buffer.from(text).toString('base64'),
  })
  const schema = { type: 'object', required: ['sum'], properties: { sum: { type: 'integer', minimum: 3 } } }
  const tests = [{ name: 'adds', body: 'assertEqual(add(1, 2), 3)' }]

  it.each([
    ['a hash', { kind: 'sha256', sha256 } as const, textUpload('The sea is narrow.'), textUpload('The sea is wide.'), /has the hash/],
    ['a JSON Schema', { kind: 'json_schema', schema } as EntryCheck, json({ sum: 2 }), json({ sum: 3 }), /sum/],
    [
      'tests',
      { kind: 'tests', tests } as EntryCheck,
      code('const add = (a, b) => a * b'),
      code('function add(a, b) { return a + b }'),
      /adds: /,
    ],
  ])('by %s declines what does not pass with its reasons, and chooses the first that does', async (_, check, wrong, right, reason) => {
    const goal = await market.post({ check })
    const failed = await market.submit(market.ana, goal, { artifacts: [wrong] })
    await market.world.until(
      'the verdict',
      async () => (await market.inboxOf(market.ana, 'entry.checked')).some(({ entry_id }) => entry_id === failed.entry_id),
      60_000,
    )
    const verdict = (await market.inboxOf(market.ana, 'entry.checked')).find(({ entry_id }) => entry_id === failed.entry_id)
    expect([verdict?.passed, String(verdict?.reasons)]).toEqual([false, expect.stringMatching(reason)])
    const passed = await market.submit(market.ben, goal, { artifacts: [right] })
    await market.world.until('the choice', async () => (await market.world.goal(goal.id)).state === 'underway', 60_000)
    expect((await listEntries(market.client.ctx, goal.id)).map(({ id, state }) => [id, state])).toEqual([
      [failed.entry_id, 'declined'],
      [passed.entry_id, 'chosen'],
    ])
    await market.approve(goal)
    await market.ended(goal, 'paid')
  })

  it('needs one file', async () => {
    const goal = await market.post({ check: { kind: 'sha256', sha256 } })
    const { entry_id } = await market.submit(market.cleo, goal, { artifacts: [textUpload('The sea is wide.'), textUpload('And deep.')] })
    await market.world.until(
      'the verdict',
      async () => (await market.inboxOf(market.cleo, 'entry.checked')).some((one) => one.entry_id === entry_id),
      60_000,
    )
    expect((await market.world.goal(goal.id)).state).toBe('open')
  })
})
