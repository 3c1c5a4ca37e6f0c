import { type DeliveredEnvelope, type PlannerMode, randomSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listingDraftOf } from '../../../../agents/builtin/listings.ts'
import { startPlanner } from '../../../../agents/builtin/planner/start-planner.ts'
import { loadStrategies } from '../../../../agents/builtin/planner/strategies/strategy-selector.ts'
import { startSkillAgent } from '../../../../agents/builtin/runtime/start-skill-agent.ts'
import { specialistDraftOf, specialistSkills } from '../../../../agents/builtin/specialists/index.ts'
import { toolSkills } from '../../../../agents/builtin/tools/index.ts'
import type { AgentSession } from '../../../../agents/src/index.ts'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import type { Goal } from '../../../../server/goals/index.ts'
import { listPayouts } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type MisbehavingModel, type ModelReply, startMisbehavingModel } from '../../../support/misbehaving-model.ts'
import type { Asked } from '../../../support/model-double.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { dataOf, settingsFor } from './run-specialist.ts'

const wholeMs = 240_000
const text = 'Das Boot fährt um 9 Uhr nach Lunna.'
const translation = 'The boat leaves for Lunna at 9.'

type Offer = { readonly offer: number; readonly skill: string }

/** A plan of a translation and its review, over the offers of the question. */
function planOf(asked: Asked): unknown {
  const { offers, goal, criteria } = dataOf(asked) as { offers: readonly Offer[]; goal: string; criteria: readonly string[] }
  const numberOf = (skill: string) => offers.find((one) => one.skill === skill)?.offer ?? 99
  return {
    question: null,
    summary: 'A translation to English with a review.',
    values: [
      { type: 'query.translation', json: JSON.stringify({ text, target_language: 'English' }) },
      { type: 'goal.criteria', json: JSON.stringify({ text: goal, criteria: criteria.map((one) => ({ text: one })) }) },
    ],
    wanted: ['text.translated', 'review.evidence'],
    steps: [
      { offer: numberOf('writing.translation'), inputs: [{ port: 'query', from_step: null, value: 1 }] },
      {
        offer: numberOf('reviewing.evidence'),
        inputs: [
          { port: 'criteria', from_step: null, value: 2 },
          { port: 'text_translated', from_step: 1, value: null },
        ],
      },
    ],
  }
}

describe('agents that work with a model', { timeout: wholeMs }, () => {
  let world: TestWorld
  let client: TestPerson
  let model: MisbehavingModel
  let owner: TestPerson
  const sessions: AgentSession[] = []
  /** What the model does at work; plans are always right. */
  let atWork: (asked: Asked) => ModelReply = () => 'a status of 500'

  beforeAll(async () => {
    model = await startMisbehavingModel((_, asked) =>
      asked.messages[0]?.content?.startsWith('Your task is to plan') ? { content: planOf(asked) } : atWork(asked),
    )
    world = await createWorld()
    client = await world.person()
    owner = await world.person({ usdc: 0n, isHouse: true })
    const settings = settingsFor(model.baseURL, { MODEL_TIMEOUT_SECONDS: '2' })
    const warn = () => undefined
    for (const name of ['author', 'assessor'] as const) {
      const { account } = await world.person({ usdc: 0n })
      const { token } = await world.publish(owner, specialistDraftOf(name, account.address, settings))
      const options = { url: world.hubUrl, seed: randomSeed(), token, payoutSigner: account, warn }
      sessions.push(await startSkillAgent(specialistSkills(name, settings, { local: [] }), options))
    }
    const { token } = await world.publish(owner, listingDraftOf('principal', owner.account.address, true))
    sessions.push(await startPlanner(await loadStrategies(settings), { url: world.hubUrl, seed: randomSeed(), token, warn }))
  })
  afterAll(async () => {
    for (const session of sessions) session.close()
    await world?.[Symbol.asyncDispose]()
    await model?.[Symbol.asyncDispose]()
  })

  const room = async (goal: Goal): Promise<DeliveredEnvelope[]> =>
    (await readStoredMessages(world.system, { roomId: goal.roomId, after: 0, limit: 1_000 })).map(
      (one) => JSON.parse(one.body) as DeliveredEnvelope,
    )
  const wordsIn = (messages: readonly DeliveredEnvelope[]) =>
    messages.flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join('\n')
  const reach = (goal: Goal, ...states: Goal['state'][]) =>
    world.until(
      `the goal to be ${states.join(' or ')}`,
      async () => {
        const now = await world.goal(goal.id)
        return states.includes(now.state) && now
      },
      wholeMs,
    )
  const post = (planner: PlannerMode, more: object = {}) =>
    world.postFundedGoal(client, { text: `Was heißt auf Englisch: ${text}`, criteria: ['Es nennt die Uhrzeit'], planner, ...more })

  it('are planned, hired, reviewed with evidence and paid; the delivery names model and prompts', async () => {
    let tries = 0
    atWork = (asked) => {
      if (asked.messages[0]?.content?.startsWith('Your task is to check'))
        return {
          content: {
            answers_goal: true,
            verdicts: [{ criterion: 1, status: 'met', reason: 'It does.', quotes: [{ deliverable: 1, quote: 'at 9' }] }],
          },
        }
      return ++tries === 1 ? 'broken JSON' : { content: translation }
    }
    const goal = await post('hybrid')
    await reach(goal, 'review', 'refunded')
    const messages = await room(goal)
    expect(wordsIn(messages)).toContain(`${translation}\n\nWritten by a model (fake-model).`)
    expect(wordsIn(messages)).toContain(`Read as: Translate a text: {"text":"${text}","target_language":"English"}`)
    const files = messages
      .filter((one) => one.type === 'task_result')
      .flatMap((one) => one.parts.flatMap((part) => part.artifact?.artifact_type ?? []))
    expect(files).toEqual(expect.arrayContaining(['text.translated', 'model.provenance', 'review.evidence', 'answer.bundle']))
    expect(messages.find((one) => one.type === 'conclusion')?.parts[0]?.text).toContain('The reviewer found 2 of 2 points met')
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await reach(goal, 'paid')
    const paid = (await listPayouts(world.system, { goalId: goal.id })).filter((one) => one.state === 'paid').map((one) => one.amount)
    // Each price holds the model's cost at the full budget: 100,000 and 22,400 base units.
    expect(paid.filter((one) => one === 122_400n)).toHaveLength(2)
  })

  it('cost the client nothing if the model stays broken', async () => {
    atWork = () => 'a status of 500'
    const goal = await post('hybrid')
    await reach(goal, 'refunded')
    expect((await listPayouts(world.system, { goalId: goal.id })).filter((one) => one.state === 'paid')).toEqual([])
    expect(wordsIn(await room(goal))).toContain(
      'The model gave no usable answer: its endpoint answered with status 500. The step is not paid.',
    )
  })

  it('cost the client nothing if an answer ends at the budget', async () => {
    atWork = () => 'an answer that is cut'
    const goal = await post('hybrid')
    await reach(goal, 'refunded')
    const messages = wordsIn(await room(goal))
    expect(messages).toMatch(/token budget .* nothing is delivered/)
    expect(messages).not.toContain('This sentence has no')
  })

  it.each(['deterministic', 'copilot'] as const)('are not offered for a private goal in mode %s', async (planner) => {
    const before = model.asked.length
    const goal = { text: 'Translate "The boat is late" to German', planner, visibility: 'private' as const }
    await expectProblem(world.postFundedGoal(client, goal), 'goal.plan_missing')
    expect(model.asked.slice(before)).toEqual([])
  })

  it('plan no private goal in mode copilot, where the client approves the plan of the search', async () => {
    const { account } = await world.person({ usdc: 0n })
    const { token } = await world.publish(owner, listingDraftOf('calculator', account.address))
    sessions.push(await startSkillAgent(toolSkills('calculator'), { url: world.hubUrl, seed: randomSeed(), token, warn: () => undefined }))
    const before = model.asked.length
    const goal = await world.postFundedGoal(client, { text: 'What is 15% of 240?', planner: 'copilot', visibility: 'private' })
    await world.until(
      'the charter to be submitted',
      async () => wordsIn(await room(goal)) !== '' && JSON.stringify(await room(goal)).includes('charter.submitted'),
    )
    expect(model.asked.slice(before)).toEqual([])
  })
})
