// The client library against the real server: every command that an agent speaks, signed by its own key.
import { type AgentSession, agent, connect, isCharterRecorded } from '@parley/agents'
import { type Charter, type ListingDraft, randomSeed, signerFromSeed, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStoredMessages } from '../../../server/delivery/index.ts'
import { newTaskId } from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

const backoff = { baseMs: 20, capMs: 200 }
const price = '1000000'
const skillOf = (id: string, output: string): ListingDraft['skills'][number] =>
  ({
    id,
    name: id,
    description: id,
    inputs: [{ name: 'text', type: 'query.text' }],
    outputs: [{ name: 'out', type: output }],
    price,
  }) as never

let world: TestWorld
let client: TestPerson
let owner: TestPerson

beforeAll(async () => {
  world = await createWorld()
  client = await world.person()
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A principal with a key of its own, and what its room has come to. */
async function startPrincipal(handle: string) {
  const { token, agent_id } = await world.publish(owner, { handle, skills: [skillOf('goal.plan', 'plan')] })
  const seed = randomSeed()
  const session = await connect({ url: world.hubUrl, signer: await signerFromSeed(seed), token, backoff })
  return { session, agent_id, seed }
}

async function charterFor(goalId: string, session: AgentSession, worker: { agent_id: string; did: string }, version = 1): Promise<Charter> {
  const goal = await world.goal(goalId)
  return {
    v: '1',
    goal_id: goalId as never,
    room_id: goal.roomId as never,
    version,
    client_id: client.did as never,
    principal_id: session.did,
    evaluator_id: world.world.market.evaluator,
    asset: goal.asset,
    total: goal.budget.toString(),
    fee_bps: world.world.market.feeBps,
    on_review_timeout: 'pay_if_delivered',
    steps: [
      {
        step: 1,
        title: 'Shout',
        skill_id: 'text.shout',
        agent_id: worker.agent_id as never,
        sender_id: worker.did,
        payee: owner.account.address.toLowerCase(),
        amount: price,
        mode: 'sync',
        depends_on: [],
        inputs: [],
        outputs: ['text.shout'],
      },
    ],
  }
}

describe('a goal from offer to payment', () => {
  it('is led and worked by keys, through restarts of the hub', async () => {
    const lead = await startPrincipal('key-lead')
    const { session } = lead
    const offers: string[] = []
    session.on('offer', ({ offer }) => void offers.push(offer.goal_id))
    const { token } = await world.publish(owner, { handle: 'key-worker', skills: [skillOf('text.shout', 'text.shout')] })
    const gate = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const worker = await agent({
      url: world.hubUrl,
      seed: randomSeed(),
      token,
      backoff,
      skills: {
        'text.shout': () => {
          begun.resolve()
          return gate.promise
        },
      },
    })
    const payouts: string[] = []
    worker.on('payout', ({ amount }) => void payouts.push(amount))

    const goal = await world.postFundedGoal(client, { text: 'Shout this text: "hello"' })
    await world.until('the offer', async () => offers.includes(goal.id))
    const { offer } = await session.claimGoal(goal.id)
    const { goal_id, room_id } = offer
    expect(await session.claimGoal(goal.id)).toMatchObject({ offer: { goal_id } })

    const charter = await charterFor(goal.id, session, worker)
    await session.postMessage({ room_id, parts: [{ data: { kind: 'plan', steps: [], estimate: price, mode: 'deterministic' } }] })
    await session.proposeTeam({ goal_id, charter })
    await world.until('the signature', async () => (await session.conversation(room_id)).accepted.includes(worker.did))
    await session.sealTeam({ goal_id, room_id })
    await world.until('the charter on chain', async () => isCharterRecorded(await session.conversation(room_id)))

    await world.restartHub()
    const task_id = newTaskId()
    // Sent into the gap: it waits for the connection and is asked once it is there.
    await session.assignTask({
      goal_id,
      room_id,
      task_id,
      step: 1,
      inputs: [{ port: 'text', type: 'query.text', data: { text: 'hello' } }],
    })
    await begun.promise
    await world.restartHub()
    gate.resolve('HELLO')
    await world.until('the result', async () => (await session.conversation(room_id)).tasks.get(task_id)?.status === 'completed')
    const [artifact] = (await session.conversation(room_id)).tasks.get(task_id)?.artifacts ?? []
    const { bytes } = await session.getArtifact({ room_id, sha256: artifact?.sha256 ?? '' })
    expect(new TextDecoder().decode(bytes)).toBe('HELLO')

    await session.concludeGoal({ goal_id, room_id, outcome: 'delivered', parts: [{ text: 'HELLO' }] })
    await client.send({ type: 'task.accept', goal_id })
    await world.until('the payment', async () => (await world.goal(goal_id)).state === 'paid' && payouts.length > 0)
    expect(payouts).toEqual([price])

    const log = await readStoredMessages(world.system, { roomId: room_id, after: 0, limit: 100 })
    const envelopes = log.map((row) => JSON.parse(row.body))
    expect(envelopes.map((one) => one.seq)).toEqual(envelopes.map((_, index) => index + 1))
    for (const envelope of envelopes) expect(await verifyEnvelope(envelope, session.server), `message ${envelope.seq}`).toBe(true)
    const countBy = (did: string) =>
      envelopes.filter((one) => one.sender_id === did && one.type !== 'task_progress').map((one) => [one.type, one.sig.alg])
    expect(countBy(session.did)).toEqual([
      ['discussion', 'EdDSA'],
      ['propose', 'EdDSA'],
      ['discussion', 'EdDSA'],
      ['sync_task_assignment', 'EdDSA'],
      ['conclusion', 'EdDSA'],
    ])
    expect(countBy(worker.did)).toEqual([
      ['accept', 'EdDSA'],
      ['task_result', 'EdDSA'],
    ])
    session.close()
    worker.close()
  }, 900_000)
})

describe('a refusal', () => {
  it('comes back as a problem, and a team that pays too little is declined', async () => {
    const { session } = await startPrincipal('poor-lead')
    const { token } = await world.publish(owner, { handle: 'proud-worker', skills: [skillOf('text.shout', 'text.shout')] })
    const worker = await agent({ url: world.hubUrl, seed: randomSeed(), token, backoff, skills: { 'text.shout': () => '' } })
    const goal = await world.postFundedGoal(client, { text: 'Shout this text: "hello"' })
    await session.claimGoal(goal.id)
    await expect(session.sealTeam({ goal_id: goal.id, room_id: goal.roomId })).rejects.toMatchObject({ code: 'session.charter_unknown' })
    const charter = await charterFor(goal.id, session, worker)
    const [step] = charter.steps
    if (step) step.amount = '999999'
    await session.proposeTeam({ goal_id: goal.id, charter })
    await world.until('the answer', async () => (await session.conversation(goal.roomId)).declined.length > 0)
    expect((await session.conversation(goal.roomId)).declined).toEqual([
      { did: worker.did, reason: 'Step 1 pays 999999, my price is 1000000.' },
    ])
    await expect(session.proposeTeam({ goal_id: goal.id, charter: { ...charter, version: 7 } })).rejects.toMatchObject({
      code: 'team.charter_invalid',
    })
    session.close()
    worker.close()
  }, 900_000)
})

describe('a second connection of the same key', () => {
  it('takes over; the first one ends and stays away', async () => {
    const { session, seed } = await startPrincipal('twice')
    const fenced = new Promise((resolve) => session.on('fenced', resolve))
    const second = await connect({ url: world.hubUrl, signer: await signerFromSeed(seed), backoff })
    await fenced
    expect(second.did).toBe(session.did)
    await expect(session.claimGoal(`gol_${'0'.repeat(32)}`)).rejects.toMatchObject({ code: 'session.fenced' })
    await expect(second.claimGoal(`gol_${'0'.repeat(32)}`)).rejects.toMatchObject({ code: 'goal.not_found' })
    second.close()
  })
})

describe('a gateway agent over the hub', () => {
  it('reports its pool, receives the rules, and is stopped by one itself', async () => {
    const { token, agent_id } = await world.publish(owner, {
      handle: 'key-gateway',
      skills: [skillOf('resources.find', 'resource.admissions')],
    })
    const signer = await signerFromSeed(randomSeed())
    const session = await connect({ url: world.hubUrl, signer, token, backoff })
    const resource = (await signerFromSeed(randomSeed())).did
    const operator = await world.person({ usdc: 0n, isOperator: true })
    const set = (points: string[]) =>
      operator.send<{ rule_id: string }>({
        type: 'rule.create',
        rule: { effect: 'deny', points, subject: { agent_id }, reason: 'It is on trial.' },
      })
    const listed = { resource, kind: 'tool', name: 'Loud', operator: resource, host: 'tools.example', pool: 'public' } as const
    const { rule_id } = await set(['retrieve'])
    const entries = [{ ...listed, state: 'evicted', reason: 'It obeys orders hidden in its input.' } as const]
    expect(await session.send({ type: 'pool.report', entries })).toMatchObject({ rules: [{ rule_id, effect: 'deny' }] })
    expect(await world.system.db.poolEntry.count({ where: { agentId: agent_id, resource, state: 'evicted' } })).toBe(1)
    const killed = await set(['act'])
    await expect(session.send({ type: 'pool.report', entries: [] })).rejects.toMatchObject({ code: 'rule.denied' })
    for (const rule of [rule_id, killed.rule_id]) await operator.send({ type: 'rule.revoke', rule_id: rule })
    expect(await session.send({ type: 'pool.report', entries: [] })).toEqual({ rules: [] })
    session.close()
  })
})
