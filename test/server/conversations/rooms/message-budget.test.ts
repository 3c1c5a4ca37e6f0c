import { randomBytes } from 'node:crypto'
import { type DeliveredEnvelope, type MessageLimits, uuidv7, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import { readMessages } from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { castAgent, doStep, type Stage, type StageAgent, sealStage, setStage } from '../../../support/stage.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let stage: Stage
const open = (prefix: string, messageLimits: MessageLimits) =>
  setStage(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', messageLimits }))
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await open('', { max_messages: 4, max_repeats: 2 })
})
afterAll(() => world[Symbol.asyncDispose]())

const words = [
  'Shall we begin with the figures of the bank?',
  'The ministry has monthly ones, which suit better.',
  'Then I draw them as lines.',
  'Good.',
]
const post = (who: StageAgent | TestPerson, text: string) =>
  who.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text }] })
/** What the server has said: of each message its kind, then its words. */
const sentences = async () => {
  const messages = await readMessages(world.system, { roomId: stage.goal.roomId, after: 0, limit: 200 })
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
    const posted = await stage.client.send<{ room_id: string }>({ type: 'goal.post', id: uuidv7(Date.now(), randomBytes(10)), goal })
    const row = await world.system.db.messageBudget.findUnique({ where: { roomId: posted.room_id } })
    expect(row).toMatchObject({ limits: { max_messages: 7 }, haltReason: null })
  })

  it('halts the agents with one sentence at the last message it allows, and nobody else', async () => {
    await sealStage(stage)
    for (const text of words) await post(stage.lead, text)
    expect((await sentences()).at(-1)).toContain('used all 4 messages')
    await expectProblem(post(stage.lead, 'One more.'), 'room.halted')
    await expectProblem(post(stage.first, 'And I?'), 'room.halted')
    expect((await sentences()).filter((text) => text === 'room.halted')).toHaveLength(1)
  })

  it('says nothing of it to who is not in the room', async () => {
    const outsider = await castAgent(world, stage.publisher, 'outside', 'text.outside')
    await expectProblem(post(outsider, 'May I?'), 'room.not_member')
  })

  it('leaves work alone', async () => {
    await doStep(stage, 1, stage.first)
  })

  it('begins again when the client says so', async () => {
    await post(stage.client, 'Go on, then.')
    expect(await sentences()).toContain('room.resumed')
    await post(stage.lead, words[0] ?? '')
    expect(await world.system.db.messageBudget.findUnique({ where: { roomId: stage.goal.roomId } })).toMatchObject({
      haltReason: null,
      spent: { messages: 1 },
    })
  })

  it('knows a circle', async () => {
    await post(stage.first, words[0] ?? '')
    await post(stage.lead, (words[0] ?? '').toUpperCase())
    expect((await sentences()).at(-1)).toContain('repeat themselves')
  })
})

describe('kept turns', () => {
  const say = (room: Stage, who: StageAgent | TestPerson, text: string, ...next: StageAgent[]) =>
    who.send({
      type: 'message.post',
      room_id: room.goal.roomId,
      parts: [{ text }],
      ...(next.length > 0 && { to: next.map((one) => one.did) }),
    })

  it('are a lease: refused out of turn, passed on by who speaks or by time, and not more than the client allows', async () => {
    const kept = await open('turns-', { enforce_turns: true, max_turns: 6 })
    await sealStage(kept)
    await say(kept, kept.lead, 'You first, please.', kept.first)
    await expectProblem(say(kept, kept.second, 'But I know it!'), 'room.out_of_turn')
    await say(kept, kept.lead, 'One moment, and go on.')
    await say(kept, kept.first, 'I have the figures.', kept.second)
    await expectProblem(say(kept, kept.first, 'And another thing.'), 'room.out_of_turn')
    // Not taken within its minute, the turn is with the lead, and after that with anybody.
    world.clock.advance(60_001)
    await expectProblem(say(kept, kept.first, 'Then I go on.'), 'room.out_of_turn')
    world.clock.advance(60_001)
    await say(kept, kept.second, 'Sorry, I was away.', kept.first)
    await say(kept, kept.first, 'Enough said.')
    await expectProblem(say(kept, kept.lead, 'One more round.'), 'room.halted')
    await say(kept, kept.client, 'Go on, then.')
    await say(kept, kept.second, 'Gladly.')
  })

  describe('where two speak at one moment, each at a process of its own', () => {
    /** The same agent at another process on the same database. */
    const elsewhere = (who: StageAgent): StageAgent => {
      const ctx = { ...who.ctx, ports: { ...who.ctx.ports, writer: { ...who.ctx.ports.writer } } }
      return { ...who, ctx, send: async (command) => (await dispatchCommand(ctx, command as never)) as never }
    }
    /** Begins with all of these while another transaction has the room, so that they reach it together. Resolves with what became of each. */
    async function together(room: Stage, speak: readonly (() => Promise<unknown>)[]): Promise<string[]> {
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
      const said: Promise<unknown>[] = []
      for (const one of speak) {
        said.push(one())
        // Its own fault is read below.
        said.at(-1)?.catch(() => undefined)
        await world.until('it to wait for the room', async () => (await waiting()) === said.length)
      }
      free.resolve()
      await holding
      const settled = await Promise.allSettled(said)
      return settled.map((one) => (one.status === 'fulfilled' ? 'heard' : (one.reason as { code: string }).code))
    }

    it('hears who has the turn when it is written, not who had it when it began to speak', async () => {
      const race = await open('race-', { enforce_turns: true })
      await sealStage(race)
      await say(race, race.lead, 'You first, then the other.', race.second, race.first)
      world.clock.advance(59_000)
      const late = () => say(race, elsewhere(race.second), 'Here I am, just in time.')
      const next = () => {
        // Its lease ends while those words wait.
        world.clock.advance(2_000)
        return say(race, elsewhere(race.first), 'Then it is my turn.')
      }
      expect(await together(race, [late, next])).toEqual(['room.out_of_turn', 'heard'])
    })

    it('gives a turn that nobody has to one of them, and a budget to as many as it lasts for', async () => {
      const race = await open('both-', { enforce_turns: true, max_messages: 3 })
      await sealStage(race)
      const [first, second] = [elsewhere(race.first), elsewhere(race.second)]
      const outcomes = await together(race, [() => say(race, first, 'I begin.'), () => say(race, second, 'No, I do.')])
      expect(outcomes.sort()).toEqual(['heard', 'room.out_of_turn'])
      const talk = ['One.', 'Two.', 'Three.'].map((text) => () => say(race, elsewhere(race.lead), text))
      expect((await together(race, talk)).sort()).toEqual(['heard', 'heard', 'room.halted'])
      const messages = await readMessages(world.system, { roomId: race.goal.roomId, after: 0, limit: 200 })
      expect(messages.filter((one) => one.parts.some((part) => part.data?.kind === 'room.halted'))).toHaveLength(1)
      expect(await verifyEnvelope(messages.at(-1) as DeliveredEnvelope, world.world.market.serverDid)).toBe(true)
    })
  })
})
