/**
 * The gas of a goal from its funding to its payment. A whole server with its own database and chain sends all transactions, and the gas is
 * read from their receipts.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Charter } from '@parley/protocol'
import { createPublicClient, http } from 'viem'
import { DomainError } from '../server/errors.ts'
import { applyClientSilenceOutcome } from '../server/goals/index.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { deployedChain, startDeployedChain } from '../test/support/deployed-chain.ts'
import { acceptByAll, newTaskId, publishTestAgent, type TestAgent, textUpload } from '../test/support/goal-fixture.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { mintTestMoney } from '../test/support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../test/support/world.ts'
import type { GasTarget } from './gas-targets.ts'
import { deliverQuotedGoal, publishQuotedAgents, quotedGasTargets } from './quoted-goal-gas.ts'

const together = 10

export const goalGasTargets: readonly GasTarget[] = [
  ...quotedGasTargets,
  {
    operation: 'goal as sent: one payee, all of it',
    figure: 'goal of 1',
    target: 235_000,
    rival: { name: 'commerce-payments', gas: 207_883 },
  },
  { operation: 'goal as sent: three payees, all of it', figure: 'goal of 3', target: 270_000 },
  { operation: 'goal as sent: ten due at once, per settlement', figure: 'ten goals due, each settlement', target: 40_000 },
  { operation: 'goal as sent: ten accepted at once, sealed with it, each', figure: 'ten goals accepted, each settlement', target: 56_000 },
]

type Team = { readonly lead: TestAgent; readonly workers: readonly TestAgent[] }

export async function measureGoalGas(): Promise<Record<string, number>> {
  const cluster = await startTestCluster()
  const chain = await startDeployedChain(await deployedChain())
  try {
    const database = { ...(await createDatabaseOn(cluster.admin)), [Symbol.asyncDispose]: async () => {} }
    await using world = await createWorld({ hub: false, chain, database, env: { SETTLEMENT_BATCH_WINDOW_MS: '2000' } })
    return await measure(world)
  } finally {
    await cluster.stop()
  }
}

async function measure(world: TestWorld): Promise<Record<string, number>> {
  const client = patient(await world.person({ usdc: 4_000_000_000n }))
  const owners = await createOwners(world)
  const quoted = await measureQuoted(world, client, owners)
  const team = await publishTeam(world, owners)
  // All payees hold the token already, and the fee account exists: the state from the second goal on.
  await payGoals(world, client, [await deliver(world, client, team, 1)])
  const one = await deliver(world, client, team, 1)
  await payGoals(world, client, [one])
  const three = await deliver(world, client, team, 3)
  await payGoals(world, client, [three])
  const accepted = await deliverMany(world, client, team)
  await payGoals(world, client, accepted)
  return {
    ...quoted,
    'goal of 1': await gasOf(world, [one]),
    'goal of 3': await gasOf(world, [three]),
    'ten goals due, each settlement': await dueTogether(world, client, team),
    'ten goals accepted, each settlement': await batchGas(world, accepted),
  }
}

/** First of all, while the agents count as online. The first goal of each kind pays into balances and credits that were empty. */
async function measureQuoted(world: TestWorld, client: TestPerson, owners: readonly TestPerson[]): Promise<Record<string, number>> {
  const agents = await publishQuotedAgents(world, owners)
  const figures: Record<string, number> = {}
  for (const payees of [1, 3, 1, 3] as const) {
    const goal = await deliverQuotedGoal(world, client, agents, payees)
    await payGoals(world, client, [goal])
    figures[`quoted goal of ${payees}`] = await gasOf(world, [goal])
  }
  return figures
}

/** Waits as long as the server requires, and repeats the request: one client posts more goals at once than its quota allows. */
function patient(person: TestPerson): TestPerson {
  const send: TestPerson['send'] = async (command) => {
    for (;;) {
      try {
        return await person.send(command)
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'rate.exceeded') throw error
        await pause(Number(error.facts.retry_after_seconds) * 1_000)
      }
    }
  }
  return { ...person, send }
}

async function createOwners(world: TestWorld): Promise<TestPerson[]> {
  const owners: TestPerson[] = []
  for (let n = 0; n < 3; n++) {
    const owner = await world.person({ usdc: 0n })
    await mintTestMoney(world.chain, owner.account.address, 1_000_000n)
    owners.push(owner)
  }
  return owners
}

async function publishTeam(world: TestWorld, owners: readonly TestPerson[]): Promise<Team> {
  const [first] = owners
  if (!first) throw new Error('no agent was published')
  const lead = await publishTestAgent(world, first, 'lead', 'goal.plan', ['plan'])
  const workers: TestAgent[] = []
  for (const [n, owner] of owners.entries()) workers.push(await publishTestAgent(world, owner, `worker-${n}`, `text.work${n}`))
  return { lead, workers }
}

async function deliverMany(world: TestWorld, client: TestPerson, team: Team): Promise<string[]> {
  const goals: string[] = []
  for (let n = 0; n < together; n++) goals.push(await deliver(world, client, team, 1))
  return goals
}

/** A goal from posted to delivered, with the given number of payees. Its client approves the team by a session key. */
async function deliver(world: TestWorld, client: TestPerson, { lead, workers }: Team, payees: number): Promise<string> {
  const {
    id: goalId,
    roomId,
    asset,
    budget,
  } = await world.postFundedGoal(client, { text: 'Write some short texts, please.', deadlineMs: 7_200_000 })
  await lead.send({ type: 'goal.claim', goal_id: goalId })
  const charter = {
    v: '1',
    goal_id: goalId,
    room_id: roomId,
    version: 1,
    client_id: client.did,
    principal_id: lead.did,
    evaluator_id: world.world.market.evaluator,
    asset,
    total: budget.toString(),
    fee_bps: world.world.market.feeBps,
    on_review_timeout: 'pay_if_delivered',
    steps: workers.slice(0, payees).map((worker, index) => ({
      step: index + 1,
      title: `Text ${index + 1}`,
      skill_id: `text.work${index}`,
      agent_id: worker.agentId,
      sender_id: worker.did,
      payee: worker.payee,
      amount: '1000000',
      mode: 'async',
      depends_on: [],
      inputs: [],
      outputs: ['text.plain'],
    })),
  } as unknown as Charter
  await lead.send({ type: 'team.propose', goal_id: goalId, charter })
  await acceptByAll(world, charter, lead)
  await lead.send({ type: 'team.seal', goal_id: goalId })
  await world.until('the approval', async () => (await world.system.db.team.findUnique({ where: { goalId } }))?.recordedAt)
  for (const [index, worker] of workers.slice(0, payees).entries()) {
    const task_id = newTaskId()
    await lead.send({ type: 'task.assign', goal_id: goalId, task_id, step: index + 1 })
    await worker.send({ type: 'task.complete', task_id, artifacts: [textUpload(randomBytes(16).toString('hex'))] })
  }
  await lead.send({ type: 'goal.conclude', goal_id: goalId, outcome: 'delivered', parts: [{ text: 'Done.' }] })
  return goalId
}

async function payGoals(world: TestWorld, client: TestPerson, goals: readonly string[]): Promise<void> {
  await Promise.all(goals.map((goal_id) => client.send({ type: 'task.accept', goal_id })))
  await allPaid(world, goals)
}

async function allPaid(world: TestWorld, goals: readonly string[]): Promise<void> {
  for (const goalId of goals) await world.until('the payment', async () => (await world.goal(goalId)).state === 'paid', 180_000)
}

/** No party acts: charters and steps are submitted on chain before the deadline, and all reviews end at the same time. */
async function dueTogether(world: TestWorld, client: TestPerson, team: Team): Promise<number> {
  const goals = await deliverMany(world, client, team)
  const pass = async (seconds: number) => {
    world.clock.advance(seconds * 1_000)
    await world.chain.warp(seconds)
  }
  const { deadline } = await world.goal(goals[0] ?? '')
  const left = Math.floor((deadline.getTime() - world.clock.now().getTime()) / 1_000)
  await pass(left - 600)
  const submitted = () => world.system.db.chainLog.count({ where: { name: 'StepsSubmitted' } })
  await world.until('the steps on chain', async () => (await submitted()) >= goals.length, 180_000)
  await pass(3_600)
  await Promise.all(goals.map((goalId) => applyClientSilenceOutcome(world.system, goalId)))
  await allPaid(world, goals)
  return batchGas(world, goals)
}

/** Of all transactions that the product sent for these goals. */
async function gasOf(world: TestWorld, goals: readonly string[]): Promise<number> {
  const rows = await world.system.db.chainTransaction.findMany({ where: { goalId: { in: [...goals] }, state: 'posted' } })
  return gasUsed(world, rows)
}

/** Per goal, of the one transaction that settled them all. */
async function batchGas(world: TestWorld, goals: readonly string[]): Promise<number> {
  const batches = await world.system.db.batchedSettlement.findMany({ where: { goalId: { in: [...goals] } } })
  const ids = [...new Set(batches.map((one) => one.transactionId))]
  if (ids.length !== 1 || batches.length !== goals.length)
    throw new Error(`${goals.length} goals were settled in ${ids.length} batches of ${batches.length}, not in one`)
  const rows = await world.system.db.chainTransaction.findMany({ where: { id: { in: ids } } })
  return Math.ceil((await gasUsed(world, rows)) / goals.length)
}

async function gasUsed(world: TestWorld, rows: readonly { readonly hash: string | null }[]): Promise<number> {
  const client = createPublicClient({ transport: http(world.chain.rpcUrl) })
  let gas = 0n
  for (const { hash } of rows) gas += (await client.getTransactionReceipt({ hash: hash as `0x${string}` })).gasUsed
  return Number(gas)
}
