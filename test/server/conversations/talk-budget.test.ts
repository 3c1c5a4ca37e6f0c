import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../server/conversations/index.ts'
import { limitTalk } from '../../../server/conversations/talk-budget.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { castAgent, doStep, type Stage, type StageAgent, sealStage, setStage } from '../../support/stage.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await limitTalk(world.system, stage.goal.groupId, { max_messages: 4, max_repeats: 2 })
})
afterAll(() => world[Symbol.asyncDispose]())

const words = [
  'Shall we begin with the figures of the bank?',
  'The ministry has monthly ones, which suit better.',
  'Then I draw them as lines.',
  'Good.',
]
const post = (who: StageAgent | TestPerson, text: string) =>
  who.send({ type: 'message.post', group_id: stage.goal.groupId, parts: [{ text }] })
/** What the server has said: of each message its kind, then its words. */
const sentences = async () => {
  const messages = await readMessages(world.system, { groupId: stage.goal.groupId, after: 0, limit: 200 })
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
      talk: { max_messages: 7 },
    }
    const posted = await stage.client.send<{ group_id: string }>({ type: 'goal.post', id: uuidv7(Date.now(), randomBytes(10)), goal })
    const row = await world.system.db.talkBudget.findUnique({ where: { groupId: posted.group_id } })
    expect(row).toMatchObject({ limits: { max_messages: 7 }, halt: null })
  })

  it('halts the agents with one sentence at the last message it allows, and nobody else', async () => {
    await sealStage(stage)
    for (const text of words) await post(stage.lead, text)
    expect((await sentences()).at(-1)).toContain('said all of the 4 messages')
    await expectProblem(post(stage.lead, 'One more.'), 'group.halted')
    await expectProblem(post(stage.first, 'And I?'), 'group.halted')
    expect((await sentences()).filter((text) => text === 'talk.halted')).toHaveLength(1)
  })

  it('says nothing of it to who is not in the room', async () => {
    const outsider = await castAgent(world, stage.publisher, 'outside', 'text.outside')
    await expectProblem(post(outsider, 'May I?'), 'group.not_member')
  })

  it('leaves work alone', async () => {
    await doStep(stage, 1, stage.first)
  })

  it('begins anew with the client’s word', async () => {
    await post(stage.client, 'Go on, then.')
    expect(await sentences()).toContain('talk.released')
    await post(stage.lead, words[0] ?? '')
    expect(await world.system.db.talkBudget.findUnique({ where: { groupId: stage.goal.groupId } })).toMatchObject({
      halt: null,
      spent: { messages: 1 },
    })
  })

  it('knows a circle', async () => {
    await post(stage.first, words[0] ?? '')
    await post(stage.lead, (words[0] ?? '').toUpperCase())
    expect((await sentences()).at(-1)).toContain('go round in circles')
  })
})

describe('kept turns', () => {
  it('are a lease: refused out of turn, passed on by who speaks or by time, and not more than the client allows', async () => {
    const kept = await setStage(world, 'turns-')
    await limitTalk(world.system, kept.goal.groupId, { keep_turns: true, max_turns: 6 })
    await sealStage(kept)
    const say = (who: StageAgent | TestPerson, text: string, next?: StageAgent) =>
      who.send({ type: 'message.post', group_id: kept.goal.groupId, parts: [{ text }], ...(next && { to: [next.did] }) })
    await say(kept.lead, 'You first, please.', kept.first)
    await expectProblem(say(kept.second, 'But I know it!'), 'group.turn_taken')
    await say(kept.lead, 'One moment, and go on.')
    await say(kept.first, 'I have the figures.', kept.second)
    await expectProblem(say(kept.first, 'And another thing.'), 'group.turn_taken')
    // Not taken within its minute, the turn is with the lead, and after that with anybody.
    world.clock.advance(60_001)
    await expectProblem(say(kept.first, 'Then I go on.'), 'group.turn_taken')
    world.clock.advance(60_001)
    await say(kept.second, 'Sorry, I was away.', kept.first)
    await say(kept.first, 'Enough said.')
    await expectProblem(say(kept.lead, 'One more round.'), 'group.halted')
    await say(kept.client, 'Go on, then.')
    await say(kept.second, 'Gladly.')
  })
})
