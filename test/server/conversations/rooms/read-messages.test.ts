import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages, searchMessages } from '../../../../server/conversations/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let client: TestPerson
let open: string
let hidden: string
beforeAll(async () => {
  world = await createWorld({ hub: false })
  client = await world.person()
  open = (await world.postFundedGoal(client, { text: 'A conversation for all to read.' })).roomId
  hidden = (await world.postFundedGoal(client, { text: 'A conversation for some to read.', visibility: 'private' })).roomId
  await client.send({ type: 'message.post', room_id: open, parts: [{ text: 'A needle in the hay.' }] })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('readMessages', () => {
  it('shows a private room to its members and to operators only', async () => {
    const page = { roomId: hidden, after: 0, limit: 10 }
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(readMessages(stranger.ctx, page), 'room.not_member')
    await expectProblem(readMessages(world.world.contextFor({ kind: 'anonymous' }), page), 'room.not_member')
    await expectProblem(searchMessages(stranger.ctx, { ...page, filter: {} }), 'room.not_member')
    expect((await readMessages(client.ctx, page)).length).toBeGreaterThan(0)
    expect((await readMessages((await world.person({ usdc: 0n, isOperator: true })).ctx, page)).length).toBeGreaterThan(0)
  })
  it('continues from any place', async () => {
    const all = await readMessages(world.world.contextFor({ kind: 'anonymous' }), { roomId: open, after: 0, limit: 10 })
    const rest = await readMessages(client.ctx, { roomId: open, after: 1, limit: 10 })
    expect(rest).toEqual(all.slice(1))
  })
})

describe('searchMessages', () => {
  it('ends a page at its bytes, and continues after it until all messages are found', async () => {
    const all = await searchMessages(client.ctx, { roomId: open, filter: {}, after: 0, limit: 10 })
    const found: number[] = []
    for (let after = 0, isMore = true; isMore; ) {
      const page = await searchMessages(client.ctx, { roomId: open, filter: {}, after, limit: 10, maxBytes: 1 })
      expect(page.messages).toHaveLength(1)
      found.push(...page.messages.map(({ seq }) => seq))
      after = page.next
      isMore = page.isMore
    }
    expect(found).toEqual(all.messages.map(({ seq }) => seq))
  })

  it('finds by sender, type, state and text, and counts them all', async () => {
    const find = (filter: object) => searchMessages(client.ctx, { roomId: open, filter, after: 0, limit: 10 })
    expect((await find({ text: 'NEEDLE' })).total).toBe(1)
    expect(await find({})).toMatchObject({ total: 3, isCounted: true, isMore: false })
    expect((await find({ senders: [client.did] })).total).toBe(2)
    expect((await find({ states: ['execution'] })).total).toBe(0)
    expect((await find({ types: ['discussion'], senders: [world.world.market.serverDid] })).total).toBe(1)
  })
})
