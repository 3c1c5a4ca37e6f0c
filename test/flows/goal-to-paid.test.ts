import { chainHash, type DeliveredEnvelope, transcriptStart, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../server/conversations/index.ts'
import { getSettlementProof, listPayouts, reconcile } from '../../server/settlement/index.ts'
import { listArtifactsUnchecked, listTasks, readArtifact } from '../../server/tasks/index.ts'
import { listSteps } from '../../server/teams/index.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// From a goal in plain words to money in the agents' wallets: the complete flow of Parley, once.
// Real PostgreSQL, a real chain, real sockets; the built-in agents are processes of their own.

const microsoft =
  'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report'

let world: TestWorld
let builtin: TestAgents
let client: TestPerson
beforeAll(async () => {
  world = await createWorld()
  builtin = await startBuiltinAgents(world)
  client = await world.person()
})
afterAll(async () => {
  await builtin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const transcript = (roomId: string): Promise<DeliveredEnvelope[]> => readMessages(world.system, { roomId, after: 0, limit: 1_000 })
const kindsOf = (messages: readonly DeliveredEnvelope[]) =>
  messages.flatMap((message) => message.parts.flatMap((part) => (part.data?.kind ? [String(part.data.kind)] : [])))

async function text(roomId: string, artifactType: string): Promise<string> {
  const goalId = (await world.system.db.goal.findUniqueOrThrow({ where: { roomId } })).id
  const file = (await listArtifactsUnchecked(world.system, goalId)).findLast((one) => one.artifact_type === artifactType)
  if (!file) throw new Error(`the goal has no ${artifactType}`)
  return Buffer.from((await readArtifact(world.system, { roomId, sha256: file.sha256 })).bytes).toString('utf8')
}

describe('a goal that is met', () => {
  it('is funded, planned, agreed, worked on in parallel, concluded, accepted and paid', async () => {
    // The client posts, and signs once. The goal opens when the hold is on chain.
    const before = await balanceOf(world.chain, client.account.address)
    const goal = await world.postFundedGoal(client, {
      text: microsoft,
      criteria: ['The report covers every year from 2014 to 2020.', 'There is a chart in text format.', 'The report has a trend analysis.'],
      budget: '10000000',
    })

    // The principal claims it, plans, and forms a team whose members all sign. The client's session key approves the team. From then on
    // each member can seal the charter on chain, and no one has to before it is settled.
    await world.until('the team at work', async () => (await world.goal(goal.id)).state === 'underway')
    const delivered = await world.until('the delivery', async () =>
      (await world.goal(goal.id)).state === 'review' ? world.goal(goal.id) : null,
    )
    const steps = await listSteps(world.system, goal.id)
    expect(steps.filter((step) => step.mode === 'async').length).toBeGreaterThanOrEqual(2)
    expect(steps.filter((step) => step.mode === 'sync').length).toBeGreaterThanOrEqual(1)
    expect(new Set(steps.map((step) => step.agentId)).size).toBeGreaterThanOrEqual(4)
    expect((await listTasks(world.system, goal.id)).every((task) => task.state === 'completed')).toBe(true)

    // The room went through all of its states, in order.
    const messages = await transcript(goal.roomId)
    expect(messages.map((message) => message.seq)).toEqual(messages.map((_message, index) => index + 1))
    const states = messages.map((message) => message.state).filter((state, index, all) => state !== all[index - 1])
    for (const state of ['discussion', 'task_assignment', 'execution', 'conclusion']) expect(states).toContain(state)
    expect(kindsOf(messages)).toEqual(
      expect.arrayContaining(['goal', 'hold.authorized', 'charter', 'charter.accept', 'charter.authorized', 'charter.recorded', 'task']),
    )

    // The work is real: the figures, a chart in text, an analysis.
    const report = await text(goal.roomId, 'report.markdown')
    for (const year of [2014, 2015, 2016, 2017, 2018, 2019, 2020]) expect(report).toContain(String(year))
    expect(report).toMatch(/143[.,]?0/)
    expect((await text(goal.roomId, 'chart.text')).length).toBeGreaterThan(100)
    expect(JSON.parse(await text(goal.roomId, 'review.verdict'))).toMatchObject({ pass: true })

    // The client accepts; one settlement pays everyone, and sends the rest back.
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    const payouts = await listPayouts(world.system, { goalId: goal.id })
    expect(payouts.map((payout) => payout.state)).toEqual(payouts.map(() => 'paid'))
    expect(new Set(payouts.map((payout) => payout.tx)).size).toBe(1)
    for (const [payee, owed] of Map.groupBy(payouts, (payout) => payout.payee)) {
      expect(await balanceOf(world.chain, payee)).toBe(owed.reduce((sum, payout) => sum + payout.amount, 0n))
    }
    const paid = payouts.reduce((sum, payout) => sum + payout.amount, 0n)
    expect(await balanceOf(world.chain, client.account.address)).toBe(before - paid - (paid * 250n) / 10_000n)

    // Anyone can check that the payment belongs to this very conversation.
    let hash = transcriptStart
    for (const message of messages.slice(0, delivered.conclusionSeq ?? 0)) {
      expect(await verifyEnvelope(message, world.world.market.serverDid)).toBe(true)
      hash = await chainHash(hash, message)
    }
    expect(await getSettlementProof(world.system, goal.id)).toMatchObject({ conclusionHash: `0x${hash}`, charterAuthorized: true })

    // Those whom the steps have served judge them.
    await world.until('the feedback', async () => (await world.system.db.feedback.count({ where: { goalId: goal.id } })) >= 2)
  })

  it('works on the client’s own table too', async () => {
    const csv = 'month,visitors\nJanuary,1200\nFebruary,1350\nMarch,1500\nApril,1480\nMay,1720\nJune,1900\n'
    const goal = await world.postFundedGoal(client, {
      text: 'Here are the visitors of our museum by month, as a CSV. Please draw a chart as SVG and write a trend analysis report.',
      criteria: ['The report mentions the month with the most visitors.', 'There is a chart.'],
      attachments: [
        { name: 'visitors.csv', media_type: 'text/csv', artifact_type: 'table.csv', content: Buffer.from(csv).toString('base64') },
      ],
    })
    await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review')
    expect(await text(goal.roomId, 'report.markdown')).toContain('June')
    expect(await text(goal.roomId, 'chart.svg')).toContain('<svg')
    // No party acts: the review clock decides, as both sides have signed.
    world.clock.advance(3_600_000 + 1_000)
    const { applyClientSilenceOutcome } = await import('../../server/goals/index.ts')
    await applyClientSilenceOutcome(world.system, goal.id)
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
  })
})

describe('a goal that can’t be met', () => {
  const expectWhole = async (goalId: string, before: bigint) => {
    await world.until('the refund', async () => (await world.goal(goalId)).state === 'refunded')
    expect(await balanceOf(world.chain, client.account.address)).toBe(before)
    expect((await world.goal(goalId)).outcome).toBe('failed')
    expect((await listPayouts(world.system, { goalId })).every((payout) => payout.state === 'refunded')).toBe(true)
  }

  it('goes back to the client at once, whole, where nothing of it could be done', async () => {
    const before = await balanceOf(world.chain, client.account.address)
    const goal = await world.postFundedGoal(client, {
      text: 'I want to know the annual revenue of Netflix from 2016 to 2035. Please generate a trend analysis report',
      criteria: ['The report covers every year from 2016 to 2035.'],
    })
    await expectWhole(goal.id, before)
  })

  it('fails its acceptance criteria: the client returns what was done, and all of it goes back once no one has disputed', async () => {
    const before = await balanceOf(world.chain, client.account.address)
    const goal = await world.postFundedGoal(client, {
      text: 'I want to know the annual revenue of Microsoft from 2016 to 2020. Please generate a trend analysis report',
      criteria: ['The report covers every year from 2016 to 2035.'],
    })
    await world.until('the end of the work', async () => (await world.goal(goal.id)).state === 'review')
    const done = (await listTasks(world.system, goal.id)).filter((task) => task.state === 'completed').map(({ id }) => id)
    expect(done.length).toBeGreaterThan(0)
    await client.send({ type: 'task.return', goal_id: goal.id, task_ids: done, reason: 'Fifteen of the years are missing.' })
    await world.until('the settlement to begin', async () => (await world.goal(goal.id)).state === 'settling')
    expect(await balanceOf(world.chain, client.account.address)).toBe(before - goal.budget)
    world.clock.advance(3_601_000)
    await expectWhole(goal.id, before)
  })
})

describe('the books afterwards', () => {
  it('agree: ledger, log and contract', async () => {
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
    expect(books.heldOnChain).toBe(books.heldInLedger)
  })
})
