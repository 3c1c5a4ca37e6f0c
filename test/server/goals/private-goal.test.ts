import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import { readStoredMessages } from '../../../server/delivery/index.ts'
import { DomainError, toProblem } from '../../../server/errors.ts'
import { getAgentInboxId } from '../../../server/registry/index.ts'
import { listPayouts } from '../../../server/settlement/index.ts'
import { readArtifact } from '../../../server/tasks/index.ts'
import { appRouter, createCaller } from '../../../server/trpc/app-router.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import {
  createFundedGoal,
  doStep,
  type GoalFixture,
  publishTestAgent,
  sealTeamOf,
  type TestAgent,
  textUpload,
} from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

// A private goal is asked for by everyone who has no part in it, through every door, from its post to its payment.

const secret = 'zanzibar'
const brief = { text: `Write two short texts about ${secret}.`, criteria: [`It names ${secret}.`], visibility: 'private' as const }
const file = { ...textUpload(`The ${secret} papers.`), name: `${secret}-papers.txt` }

let world: TestWorld
let stranger: TestPerson
let spy: TestAgent
let worker: TestAgent
beforeAll(async () => {
  world = await createWorld()
  stranger = await world.person({ usdc: 0n })
  // One who lists the skill that every goal is offered for, and one who works.
  spy = await publishTestAgent(world, stranger, 'spy', 'goal.plan', ['plan'])
  worker = await publishTestAgent(world, stranger, 'by-stander', 'text.other')
})
afterAll(() => world?.[Symbol.asyncDispose]())

const inboxOf = async (agent: TestAgent) =>
  (await readStoredMessages(world.system, { roomId: await getAgentInboxId(world.system, agent.agentId), after: 0, limit: 1_000 }))
    .map(({ body }) => body)
    .join('\n')
const askers = (): { readonly [who: string]: Context } => ({
  noParty: world.world.contextFor({ kind: 'anonymous' }),
  stranger: stranger.ctx,
  planner: spy.ctx,
  worker: worker.ctx,
})

/** Everything by which the goal can be known: its ids wherever they stand, and its words. */
async function tracesOf(fixture: GoalFixture): Promise<string[]> {
  const { db } = world.system
  const goalId = fixture.goal.id
  const tasks = await db.task.findMany({ where: { goalId }, select: { id: true } })
  const files = await db.artifact.findMany({ where: { goalId }, select: { sha256: true } })
  const payouts = await listPayouts(world.system, { goalId })
  return [
    secret,
    goalId,
    fixture.goal.roomId,
    ...tasks.map(({ id }) => id),
    ...files.map(({ sha256 }) => sha256),
    ...payouts.map(({ id }) => id),
  ]
}

type Asked = { readonly what: string; readonly input: unknown; answer(): Promise<unknown> }

/** What each query of the web takes; `null`: it is asked without input. Who adds one has to say here how it is asked. */
async function webQuestions(fixture: GoalFixture, ctx: Context): Promise<Asked[]> {
  const { db } = world.system
  const goal_id = fixture.goal.id
  const room_id = fixture.goal.roomId
  const [payout] = await listPayouts(world.system, { goalId: goal_id })
  const hashes = (await db.signedTransaction.findMany({ select: { hash: true } })).map(({ hash }) => hash)
  const agent = { agent: fixture.first.agentId }
  const inputs: { readonly [path: string]: readonly unknown[] } = {
    'channels.minDeposit': [undefined],
    'channels.listMine': [undefined],
    'channels.get': [{ channel_id: `chn_${'0'.repeat(32)}` }],
    'channels.topUpTerms': [{ channel_id: `chn_${'0'.repeat(32)}`, deposit: '1' }],
    'channels.getFile': [{ call_id: `cal_${'0'.repeat(32)}`, sha256: '0'.repeat(64) }],
    'contests.list': [{ goal_id }],
    'contests.getFile': [{ entry_id: `ent_${'0'.repeat(32)}`, sha256: '0'.repeat(64) }],
    'conversations.list': [{ room_id }],
    'conversations.plans': [{ room_id }],
    'conversations.search': [{ room_id, text: secret }],
    'conversations.listDeadLetters': [undefined],
    'disputes.getOfGoal': [{ goal_id }],
    'disputes.listOpen': [undefined],
    'disputes.getSettlementOfferTerms': [{ goal_id, step: 1, payee_bps: 5_000 }],
    'federation.listPeers': [undefined],
    'goals.listInbox': [undefined],
    'goals.listDemands': [{}],
    'goals.listOwnDemands': [undefined],
    'goals.list': [{}, { text: secret.slice(0, 5) }, { mine: true }],
    'goals.get': [{ goal_id }],
    'goals.getPage': [{ goal_id }],
    'goals.getRoom': [{ goal_id, room_id }],
    'goals.getRoomStatus': [{ goal_id, room_id }],
    'goals.getCardPaymentStatus': [{ goal_id }],
    'identity.listSessions': [undefined],
    'market.getOverview': [undefined],
    'market.getBalance': [undefined],
    'memory.read': [undefined],
    'notifications.getSettings': [undefined],
    'notifications.list': [undefined],
    'notifications.listOutbox': [undefined],
    'notifications.listDead': [undefined],
    'policy.listRules': [undefined],
    'pools.list': [undefined],
    'registry.discover': [{ text: secret }, {}],
    'registry.listFacets': [{}],
    'registry.listTypes': [undefined],
    'registry.get': [agent],
    'registry.listRevisions': [agent],
    'registry.getKeyTerms': [{ agent_id: fixture.first.agentId, unbind: false }],
    'registry.getPayoutTerms': [{ agent_id: fixture.first.agentId, payout: `0x${'1'.repeat(40)}` }],
    'registry.findPayoutChange': [{ agent_id: fixture.first.agentId }],
    'registry.listMine': [undefined],
    'registry.listEarnings': [undefined],
    'reputation.getAgentRecord': [agent],
    'reputation.listFeedback': [agent],
    'settlement.getFunding': [{ goal_id }],
    'settlement.adviseRail': [{ value: '1', has_wallet: true, has_card: false }],
    'settlement.getMoney': [{ goal_id }],
    'settlement.getProof': [{ goal_id }],
    'settlement.getReceipt': payout ? [{ payout_id: payout.id }] : [],
    'settlement.getMine': [undefined],
    'settlement.getEarnings': [undefined],
    'settlement.getCredits': [undefined],
    'settlement.getWithdrawalTerms': [{ to: `0x${'1'.repeat(40)}` }],
    'settlement.getPayoutAccountTerms': [undefined],
    'settlement.getCardEarnings': [undefined],
    'settlement.getChainHealth': [undefined],
    'settlement.listDeadLetters': [undefined, {}],
    'settlement.getTransaction': hashes.map((hash) => ({ hash })),
    'settlement.reconcile': [undefined],
    'settlement.getReconciliation': [{}],
    'settlement.listReconciliations': [undefined],
    'skillTests.list': [{ agent_id: fixture.first.agentId }],
    'skillTests.listTested': [{ agent_ids: [fixture.first.agentId] }],
    'tasks.listToJudge': [{ goal_id }],
    'telemetry.listLoad': [undefined],
  }
  const queries = Object.entries(appRouter._def.procedures as unknown as { [path: string]: { _def: { type: string } } })
    .filter(([, procedure]) => procedure._def.type === 'query')
    .map(([path]) => path)
  expect(
    queries.filter((path) => !(path in inputs)),
    'queries that this test does not know',
  ).toEqual([])
  const caller = createCaller({
    ctx,
    services: world.world,
    token: null,
    userAgent: '',
    source: randomBytes(4).join('.'),
    reply: null,
    id: 'test',
  })
  return queries.flatMap((path) =>
    (inputs[path] ?? []).map((input) => ({
      what: path,
      input,
      answer: () => {
        const [router = '', name = ''] = path.split('.')
        return (caller as unknown as { [router: string]: { [name: string]: (input: unknown) => Promise<unknown> } })[router]?.[name]?.(
          input,
        ) as Promise<unknown>
      },
    })),
  )
}

/** Commands that name the goal, its room, its tasks or its files. */
async function commands(fixture: GoalFixture, ctx: Context): Promise<Asked[]> {
  const goal_id = fixture.goal.id
  const room_id = fixture.goal.roomId
  const [task] = await world.system.db.task.findMany({ where: { goalId: goal_id }, select: { id: true } })
  const [attached] = await world.system.db.artifact.findMany({ where: { goalId: goal_id }, select: { sha256: true } })
  const task_id = task?.id ?? `tsk_${'0'.repeat(32)}`
  const given = [
    { type: 'goal.claim', goal_id },
    { type: 'goal.conclude', goal_id, outcome: 'failed', parts: [{ text: 'x' }] },
    { type: 'goal.cancel', goal_id },
    { type: 'team.propose', goal_id, charter: fixture.charter() },
    { type: 'team.accept', goal_id, charter_hash: `0x${'1'.repeat(64)}` },
    { type: 'team.decline', goal_id, charter_hash: `0x${'1'.repeat(64)}`, reason: 'x' },
    { type: 'team.seal', goal_id },
    { type: 'task.assign', goal_id, task_id: `tsk_${'1'.repeat(32)}`, step: 1 },
    { type: 'task.accept', goal_id },
    { type: 'task.complete', task_id, artifacts: [textUpload('x')] },
    { type: 'task.progress', task_id, text: 'x' },
    { type: 'message.post', room_id, parts: [{ text: 'x' }] },
    { type: 'artifact.get', room_id, sha256: attached?.sha256 ?? '0'.repeat(64) },
    { type: 'feedback.give', task_id, value: 1, text: '' },
    {
      type: 'goal.post',
      id: uuidv7(Date.now(), randomBytes(10)),
      goal: {
        ...brief,
        criteria: [{ text: 'x' }],
        text: 'A goal that follows.',
        budget: '5000000',
        deadline: new Date(world.clock.now().getTime() + 3_600_000).toISOString(),
        follows: goal_id,
      },
    },
  ]
  return given.map((command) => ({ what: command.type, input: command, answer: () => dispatchCommand(ctx, command) }))
}

/** The doors of other protocols, without a login. */
function visits(fixture: GoalFixture): Asked[] {
  const goal_id = fixture.goal.id
  const call = (name: string, input: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  const ask = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const given: [string, object][] = [
    ['/v1/mcp', call('get_goal', { goal_id })],
    ['/v1/mcp', call('follow_goal', { goal_id, seconds: 1 })],
    ['/v1/mcp', call('post_message', { goal_id, text: 'x' })],
    ['/v1/mcp', call('accept_goal', { goal_id })],
    ['/v1/mcp', call('cancel_goal', { goal_id })],
    ['/v1/mcp', call('search_listings', { text: secret })],
    ['/v1/a2a', ask('tasks/get', { id: goal_id })],
    ['/v1/a2a', ask('GetTask', { id: goal_id })],
    ['/v1/a2a', ask('tasks/resubscribe', { id: goal_id })],
    ['/v1/a2a', ask('SubscribeToTask', { id: goal_id })],
    ['/v1/a2a', ask('tasks/cancel', { id: goal_id })],
  ]
  const gets = ['/v1/registry', '/v1/server', '/metrics', '/readyz'].map((path) => ({
    what: path,
    input: null,
    answer: async () => (await fetch(`${world.hubUrl}${path}`)).text(),
  }))
  const posts = given.map(([path, body]) => ({
    what: `${path} ${JSON.stringify(body).slice(0, 80)}`,
    input: body,
    answer: async () => (await fetch(`${world.hubUrl}${path}`, { method: 'POST', body: JSON.stringify(body) })).text(),
  }))
  return [...gets, ...posts]
}

const textOf = (value: unknown) => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? item.toString() : item)) ?? ''

/** No one who has no part in the goal learns more of it than they have put into the question. */
async function expectHidden(fixture: GoalFixture): Promise<void> {
  const traces = await tracesOf(fixture)
  const leaks: string[] = []
  const look = (what: string, input: unknown, answer: string) => {
    const known = textOf(input)
    for (const trace of traces) if (answer.includes(trace) && !known.includes(trace)) leaks.push(`${what} tells ${trace}`)
  }
  for (const [who, ctx] of Object.entries(askers())) {
    for (const { what, input, answer } of [...(await webQuestions(fixture, ctx)), ...(await commands(fixture, ctx))]) {
      const answered = await answer().catch((error: Error & { cause?: unknown }) => {
        const cause = error instanceof DomainError ? error : error.cause
        return cause instanceof DomainError ? toProblem(cause, 'test') : String(error)
      })
      look(`${what} for ${who}`, input, textOf(answered))
    }
    world.clock.advance(120_000)
  }
  for (const { what, input, answer } of visits(fixture)) look(what, input, String(await answer()))
  for (const agent of [spy, worker]) look('an inbox', null, await inboxOf(agent))
  expect(leaks).toEqual([])
}

describe('a private goal', () => {
  it('is offered to the built-in planner and claimed by it, and to the named ones alone where some are named', async () => {
    const client = await world.person()
    const house = await publishTestAgent(world, await world.person({ usdc: 0n, isHouse: true }), 'house-planner', 'goal.plan', ['plan'])
    const goal = await world.postFundedGoal(client, { ...brief, attachments: [file] })
    await world.until('the offer', async () => (await inboxOf(house)).includes(goal.id))
    expect(await inboxOf(spy)).not.toContain(goal.id)
    await expectProblem(spy.send({ type: 'goal.claim', goal_id: goal.id }), 'goal.not_found')
    await house.send({ type: 'goal.claim', goal_id: goal.id })
    const chosen = await publishTestAgent(world, client, 'chosen-planner', 'goal.plan', ['plan'])
    const named = await world.postFundedGoal(client, { ...brief, planners: [chosen.agentId] })
    await world.until('the other offer', async () => (await inboxOf(chosen)).includes(named.id))
    for (const other of [house, spy]) {
      expect(await inboxOf(other)).not.toContain(named.id)
      await expectProblem(other.send({ type: 'goal.claim', goal_id: named.id }), 'goal.not_found')
    }
    await chosen.send({ type: 'goal.claim', goal_id: named.id })
  })

  it('is refused where its planner is not listed, and where it would be continued in public', async () => {
    const client = await world.person()
    const post = (change: object) => world.postFundedGoal(client, { ...brief, ...change })
    await expectProblem(post({ planners: [worker.agentId] }), 'goal.planner_invalid')
    await expectProblem(post({ planners: [`agt_${'0'.repeat(32)}`] }), 'goal.planner_invalid')
  })

  it('shows neither ids nor words to anyone who has no part in it, from its post to its payment', { timeout: 600_000 }, async () => {
    const open = (client: TestPerson, { agentId }: TestAgent) =>
      world.postFundedGoal(client, { ...brief, planners: [agentId], attachments: [file] })
    const fixture = await createFundedGoal(world, 'quiet-', open)
    await expectHidden(fixture)
    await sealTeamOf(fixture)
    const taskId = await doStep(fixture, 1, fixture.first)
    await doStep(fixture, 2, fixture.second)
    await expectHidden(fixture)
    await fixture.lead.send({
      type: 'goal.conclude',
      goal_id: fixture.goal.id,
      outcome: 'delivered',
      parts: [{ text: `All about ${secret}.` }],
    })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    await world.until('the judgement', async () =>
      fixture.client.send({ type: 'feedback.give', task_id: taskId, value: 90, text: 'Well done.' }).catch(() => null),
    )
    await expectHidden(fixture)
  })
})

describe('attachments', () => {
  it('of a public goal are read by its team alone, unless its client lets everyone', async () => {
    const shown = await createFundedGoal(world, 'shown-', (client) =>
      world.postFundedGoal(client, { text: 'A goal for everyone to see.', attachments: [file] }),
    )
    const open = await world.postFundedGoal(shown.client, {
      text: 'A goal with a file for everyone.',
      attachments: [file],
      attachmentReaders: 'everyone',
    })
    const { sha256 } = await world.system.db.artifact.findFirstOrThrow({ where: { goalId: shown.goal.id } })
    const wanted = { roomId: shown.goal.roomId, sha256 }
    for (const ctx of Object.values(askers())) await expectProblem(readArtifact(ctx, wanted), 'room.not_member')
    for (const ctx of [shown.client.ctx, shown.lead.ctx, shown.publisher.ctx])
      expect((await readArtifact(ctx, wanted)).bytes.length).toBeGreaterThan(0)
    for (const ctx of Object.values(askers()))
      expect((await readArtifact(ctx, { roomId: open.roomId, sha256 })).bytes.length).toBeGreaterThan(0)
  })
})
