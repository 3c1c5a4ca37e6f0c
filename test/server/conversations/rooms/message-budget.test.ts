import { randomBytes } from 'node:crypto'
import { type DeliveredEnvelope, type MessageLimits, uuidv7, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import { readMessages } from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, doStep, type GoalFixture, publishTestAgent, sealTeamOf, type TestAgent } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
const open = (prefix: string, messageLimits: MessageLimits) =>
  createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', messageLimits }))
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await open('', { max_messages: 4, max_repeats: 2 })
})
afterAll(() => world[Symbol.asyncDispose]())

const words = [
  'Shall we begin with the figures of the bank?',
  'The ministry has monthly ones, which suit better.',
  'Then I draw them as lines.',
  'Good.',
]
const post = (who: TestAgent | TestPerson, text: string) =>
  who.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text }] })
/** The messages of the server: of each message its kind, then its words. */
const sentences = async () => {
  const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 })
  const own = messages.filter(({ sender_id }) => sender_id === world.world.market.serverDid)
  return own.flatMap(({ parts }) => [String(parts.find((part) => part.data)?.data?.kind), parts.map((part) => part.text ?? '').join('')])
}

describe('the budget of a room', () => {
  it('is what the client has posted', async () => {
    const goal = {
      text: 'Write two short texts, please.',
      criteria: [{ text: 'They are there.' }],
      budget: '10000000',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      message_limits: { max_messages: 7 },
    }
    const posted = await fixture.client.send<{ room_id: string }>({ type: 'goal.post', id: uuidv7(Date.now(), randomBytes(10)), goal })
    const row = await world.system.db.messageBudget.findUnique({ where: { roomId: posted.room_id } })
    expect(row).toMatchObject({ limits: { max_messages: 7 }, haltReason: null })
  })

  it('halts the agents with one sentence at the last message it allows, and no one else', async () => {
    await sealTeamOf(fixture)
    for (const text of words) await post(fixture.lead, text)
    expect((await sentences()).at(-1)).toContain('used all 4 messages')
    await expectProblem(post(fixture.lead, 'One more.'), 'room.halted')
    await expectProblem(post(fixture.first, 'And I?'), 'room.halted')
    expect((await sentences()).filter((text) => text === 'room.halted')).toHaveLength(1)
  })

  it('reveals nothing of it to who is not in the room', async () => {
    const outsider = await publishTestAgent(world, fixture.publisher, 'outside', 'text.outside')
    await expectProblem(post(outsider, 'May I?'), 'room.not_member')
  })

  it('leaves work alone', async () => {
    await doStep(fixture, 1, fixture.first)
  })

  it('begins again when the client requests it', async () => {
    await post(fixture.client, 'Go on, then.')
    expect(await sentences()).toContain('room.resumed')
    await post(fixture.lead, words[0] ?? '')
    expect(await world.system.db.messageBudget.findUnique({ where: { roomId: fixture.goal.roomId } })).toMatchObject({
      haltReason: null,
      spent: { messages: 1 },
    })
  })

  it('knows a circle', async () => {
    await post(fixture.first, words[0] ?? '')
    await post(fixture.lead, (words[0] ?? '').toUpperCase())
    expect((await sentences()).at(-1)).toContain('repeat themselves')
  })
})

describe('kept turns', () => {
  const postText = (room: GoalFixture, who: TestAgent | TestPerson, text: string, ...next: TestAgent[]) =>
    who.send({
      type: 'message.post',
      room_id: room.goal.roomId,
      parts: [{ text }],
      ...(next.length > 0 && { to: next.map((one) => one.did) }),
    })

  it('are a lease: refused out of turn, passed on by who speaks or by time, and not more than the client allows', async () => {
    const kept = await open('turns-', { enforce_turns: true, max_turns: 6 })
    await sealTeamOf(kept)
    await postText(kept, kept.lead, 'You first, please.', kept.first)
    await expectProblem(postText(kept, kept.second, 'But I know it!'), 'room.out_of_turn')
    await postText(kept, kept.lead, 'One moment, and go on.')
    await postText(kept, kept.first, 'I have the figures.', kept.second)
    await expectProblem(postText(kept, kept.first, 'And another thing.'), 'room.out_of_turn')
    // Not taken within its minute, the turn is with the lead, and after that with anyone.
    world.clock.advance(60_001)
    await expectProblem(postText(kept, kept.first, 'Then I go on.'), 'room.out_of_turn')
    world.clock.advance(60_001)
    await postText(kept, kept.second, 'Sorry, I was away.', kept.first)
    await postText(kept, kept.first, 'Enough said.')
    await expectProblem(postText(kept, kept.lead, 'One more round.'), 'room.halted')
    await postText(kept, kept.client, 'Go on, then.')
    await postText(kept, kept.second, 'Gladly.')
  })

  describe('where two speak at one moment, each at a process of its own', () => {
    /** The same agent at another process on the same database. */
    const elsewhere = (who: TestAgent): TestAgent => {
      const ctx = { ...who.ctx, ports: { ...who.ctx.ports, writer: { ...who.ctx.ports.writer } } }
      return { ...who, ctx, send: async (command) => (await dispatchCommand(ctx, command as never)) as never }
    }
    /** Begins with all of these while another transaction has the room, so that they reach it together. Resolves with what became of each. */
    async function together(room: GoalFixture, speak: readonly (() => Promise<unknown>)[]): Promise<string[]> {
      const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holding = inTransaction(world.system, async (tx) => {
        await tx.db.$queryRaw`select 1 from "conversation" where "roomId" = ${room.goal.roomId} for update`
        held.resolve()
        await free.promise
      })
      await held.promise
      const waiting = async () => {
        const [row] = await world.system.db.$queryRaw<{ n: number }[]>`
          select count(*)::int as "n" from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return row?.n
      }
      const posts: Promise<unknown>[] = []
      for (const one of speak) {
        posts.push(one())
        // Its own fault is read below.
        posts.at(-1)?.catch(() => undefined)
        await world.until('it to wait for the room', async () => (await waiting()) === posts.length)
      }
      free.resolve()
      await holding
      const settled = await Promise.allSettled(posts)
      return settled.map((one) => (one.status === 'fulfilled' ? 'heard' : (one.reason as { code: string }).code))
    }

    it('checks the turn at the time of the write, not at the time of the request', async () => {
      const race = await open('race-', { enforce_turns: true })
      await sealTeamOf(race)
      await postText(race, race.lead, 'You first, then the other.', race.second, race.first)
      world.clock.advance(59_000)
      const late = () => postText(race, elsewhere(race.second), 'Here I am, just in time.')
      const next = () => {
        // Its lease ends while those words wait.
        world.clock.advance(2_000)
        return postText(race, elsewhere(race.first), 'Then it is my turn.')
      }
      expect(await together(race, [late, next])).toEqual(['room.out_of_turn', 'heard'])
    })

    it('gives a turn that no one has to one of them, and a budget to as many as it lasts for', async () => {
      const race = await open('both-', { enforce_turns: true, max_messages: 3 })
      await sealTeamOf(race)
      const [first, second] = [elsewhere(race.first), elsewhere(race.second)]
      const outcomes = await together(race, [() => postText(race, first, 'I begin.'), () => postText(race, second, 'No, I do.')])
      expect(outcomes.sort()).toEqual(['heard', 'room.out_of_turn'])
      const talk = ['One.', 'Two.', 'Three.'].map((text) => () => postText(race, elsewhere(race.lead), text))
      expect((await together(race, talk)).sort()).toEqual(['heard', 'heard', 'room.halted'])
      const messages = await readMessages(world.system, { roomId: race.goal.roomId, after: 0, limit: 200 })
      expect(messages.filter((one) => one.parts.some((part) => part.data?.kind === 'room.halted'))).toHaveLength(1)
      expect(await verifyEnvelope(messages.at(-1) as DeliveredEnvelope, world.world.market.serverDid)).toBe(true)
    })
  })
})
