/**
 * `npm run bench:fanout`: the time of eight equal tasks of eight agents in parallel, compared with one such task. It is measured from the
 * first assignment to the last result in the room. The built-in planner assigns them, on the real server with its real chain.
 */
import { loadavg } from 'node:os'
import { type AgentSession, agent } from '@parley/agents'
import { type DeliveredEnvelope, randomSeed } from '@parley/protocol'
import { buildPlan } from '../agents/builtin/planner/plan/plan.ts'
import { startPlanner } from '../agents/builtin/planner/start-planner.ts'
import type { PlanningStrategy } from '../agents/builtin/planner/strategies/strategy.ts'
import { readStoredMessages } from '../server/delivery/index.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { deployedChain, startDeployedChain } from '../test/support/deployed-chain.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { createWorld, type TestWorld } from '../test/support/world.ts'

const width = 8
const rounds = 2
const taskMs = 3_000
const maxTimes = 1.3
const priceOf = 100_000n

/** Every offer once, in parallel; as many as in the goal's words. */
const planner: PlanningStrategy = async ({ goal, offers }) => {
  const count = Number(/\d+/.exec(goal.text)?.[0] ?? 1)
  const chosen = offers.filter((offer) => offer.skill.id.startsWith('slow.')).slice(0, count)
  return { plan: buildPlan(chosen.map((offer) => ({ offer, inputs: [] }))), summary: `${count} side by side.`, mode: 'deterministic' }
}

async function publishWorkers(world: TestWorld): Promise<AgentSession[]> {
  const owner = await world.person({ usdc: 0n })
  const port = (type: string) => ({ name: 'out', type, description: '', optional: false })
  const publish = (handle: string, skill: string, type: string) =>
    world.publish(owner, {
      handle,
      skills: [
        { id: skill, name: skill, description: skill, inputs: [], outputs: [port(type)], price: priceOf.toString(), tags: [], samples: [] },
      ],
    } as never)
  const lead = await publish('fan-lead', 'goal.plan', 'plan')
  const warn = (error: unknown) => console.error(error)
  const sessions = [await startPlanner(() => planner, { url: world.hubUrl, seed: randomSeed(), token: lead.token, warn })]
  for (let n = 1; n <= width; n++) {
    const { token } = await publish(`fan-worker-${n}`, `slow.part_${n}`, `text.part_${n}`)
    const work = async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, taskMs)
      })
      return {
        artifacts: [{ name: `part-${n}.txt`, media_type: 'text/plain', artifact_type: `text.part_${n}`, content: `Part ${n}.` }],
        text: 'Done.',
      }
    }
    sessions.push(await agent({ url: world.hubUrl, token, seed: randomSeed(), skills: { [`slow.part_${n}`]: work } }))
  }
  return sessions
}

/** Milliseconds from the first assignment to the last worker's result. */
async function measure(world: TestWorld, count: number): Promise<number> {
  const goal = await world.postFundedGoal(await world.person(), { text: `Make ${count} parts, please.` })
  await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review')
  const messages = (await readStoredMessages(world.system, { roomId: goal.roomId, after: 0, limit: 1_000 })).map(
    ({ body }) => JSON.parse(body) as DeliveredEnvelope,
  )
  const { principalId } = await world.goal(goal.id)
  const at = (type: RegExp, isOwn: boolean) =>
    messages.filter((one) => type.test(one.type) && (one.sender_id === principalId) === isOwn).map((one) => Date.parse(one.received_at))
  const assigned = at(/_task_assignment$/, true)
  const results = at(/^task_result$/, false)
  if (results.length !== count) throw new Error(`${results.length} results of ${count}`)
  return Math.max(...results) - Math.min(...assigned)
}

const cluster = await startTestCluster()
const chain = await startDeployedChain(await deployedChain())
const database = await createDatabaseOn(cluster.admin)
try {
  await using world = await createWorld({ chain, database })
  const sessions = await publishWorkers(world)
  const best = async (count: number) => {
    const times: number[] = []
    for (let n = 0; n < rounds; n++) times.push(await measure(world, count))
    console.log(`  ${count} at once: ${times.join(', ')} ms`)
    return Math.min(...times)
  }
  const one = await best(1)
  const all = await best(width)
  for (const session of sessions) session.close()
  const times = Number((all / one).toFixed(2))
  const ok = times <= maxTimes
  const figures = {
    tasks: width,
    task_ms: taskMs,
    one_ms: one,
    all_ms: all,
    times,
    max_times: maxTimes,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  }
  console.log(JSON.stringify({ name: 'bench:fanout', ok, figures }))
  process.exitCode = ok ? 0 : 1
} finally {
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
