/**
 * `npm run bench:teams`: the time and the cost of a team's conversation if its models answer at once. The cost is compared with a scheme
 * that repeats goal, members and history (`history-resending-scheme.ts`). The server is the real one, with its database, chain and
 * sockets, and shares this machine with the agents. The charters are on chain before the measurement. Times are ratios to the same number
 * of messages at a bare durable hub (`exchange-at-bare-hub.ts`). It runs in the same run, since absolute times depend on the machine.
 * Bytes are counted on the agents' own connections, from the first message of a flow to its last ack.
 */
import { loadavg } from 'node:os'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { deployedChain, startDeployedChain } from '../test/support/deployed-chain.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { createWorld, type TestWorld } from '../test/support/world.ts'
import { startChild } from './hub/start-process.ts'
import { medianBy } from './hub/targets.ts'
import { type FlowRun, runDiscussion, runPausedTask, runSyncTask } from './team-conversations/conversation-flows.ts'
import { exchangeAtBareHub } from './team-conversations/exchange-at-bare-hub.ts'
import { type NestedRun, runNestedTeam } from './team-conversations/nested-team-flow.ts'
import { type BenchTeam, createBenchTeam } from './team-conversations/team-agents.ts'
import { openTrafficProxy, type TrafficProxy } from './team-conversations/traffic-proxy.ts'
import { compressedBytesOf } from './wire-bytes/compress-messages.ts'

/** Pairs of a flow and its reference; the first one warms up. */
const rounds = 4
type Flow = {
  readonly run: (team: BenchTeam, proxy?: TrafficProxy) => Promise<FlowRun>
  /** Messages of its room, and so of the reference. */
  readonly messages: number
  /** About 1.4 times the median of four runs on an idle machine, which differed from each other by up to a quarter. It shows a regression. */
  readonly maxRatio: number
}
const flows: { readonly [name: string]: Flow } = {
  discuss: { run: runDiscussion, messages: 21, maxRatio: 20 },
  sync: { run: runSyncTask, messages: 3, maxRatio: 85 },
  pause: { run: runPausedTask, messages: 4, maxRatio: 65 },
}
/** Of the tokens and bytes of the other scheme. */
const maxShare = { token: 0.25, byte: 0.65 }
/** A flow and its reference, measured in turn. */
type Pair = { readonly run: FlowRun; readonly referenceMs: number }
const ratioOf = ({ run, referenceMs }: Pair) => run.ms / referenceMs
const medianOf = (values: readonly number[]) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const round = (value: number, digits = 0) => Number(value.toFixed(digits))

const cluster = await startTestCluster()
const chain = await startDeployedChain(await deployedChain())
const database = await createDatabaseOn(cluster.admin)
const reference = await startChild('bare-hub-process-main.ts', { DATABASE_URL: (await createDatabaseOn(cluster.admin)).url })
const figures: Record<string, unknown> = {}
let isOk = true
try {
  await using world = await createWorld({ chain, database })
  const team = await createBenchTeam(world)
  const tokens = { ours: 0, theirs: 0 }
  for (const [name, flow] of Object.entries(flows)) {
    const { typical, last } = await measureFlow(name, flow, team)
    for (const side of ['ours', 'theirs'] as const) tokens[side] += last[side].tokens
    const ratio = round(ratioOf(typical), 2)
    figures[`${name}_by_reference`] = ratio
    figures[`${name}_ms`] = round(typical.run.ms)
    figures[`${name}_reference_ms`] = round(typical.referenceMs, 1)
    figures[`${name}_cpu_ms`] = round(typical.run.cpuMs)
    if (ratio > flow.maxRatio) console.log(`  missed: ${name} takes ${ratio} times the reference (target ${flow.maxRatio})`)
    isOk &&= ratio <= flow.maxRatio
  }
  for (const mode of ['sync', 'async'] as const) {
    const runs: NestedRun[] = []
    for (let n = 0; n < rounds; n++) runs.push(await runNestedTeam(team, mode))
    const [ends, median] = [runs.every(({ ended }) => ended), medianOf(runs.slice(1).map(({ ms }) => ms))]
    const hired = medianOf(runs.slice(1).map(({ hiredMs }) => hiredMs))
    console.log(
      `  nested ${mode}: ${ends ? 'ends' : 'does not end'} (in the reference scheme never), ${runs
        .slice(1)
        .map(({ ms }) => round(ms))
        .join(', ')} ms, of which ${round(hired)} to hire, the chain's record included`,
    )
    figures[`nested_${mode}_ends`] = ends
    figures[`nested_${mode}_median_ms`] = round(median)
    figures[`nested_${mode}_hired_ms`] = round(hired)
    isOk &&= ends
  }
  team.close()
  const bytes = await countBytes(world)
  const shares = {
    token: tokens.ours / tokens.theirs,
    byte: bytes.ours.bytes / bytes.theirs.bytes,
    compressed_byte: bytes.ours.compressed / bytes.theirs.compressed,
  }
  for (const [what, share] of Object.entries(shares)) figures[`${what}_share`] = round(share, 3)
  for (const what of ['token', 'byte'] as const) {
    if (shares[what] > maxShare[what])
      console.log(`  missed: ${what}s ${round(shares[what], 3)} of the other scheme (target ${maxShare[what]})`)
    isOk &&= shares[what] <= maxShare[what]
  }
  figures.load = round(loadavg()[0] ?? 0, 1)
  console.log(JSON.stringify({ name: 'bench:teams', ok: isOk, figures }))
  process.exitCode = isOk ? 0 : 1
} finally {
  await reference.end()
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()

/** `typical`: the pair with the median ratio. */
async function measureFlow(name: string, { run, messages }: Flow, team: BenchTeam): Promise<{ typical: Pair; last: FlowRun }> {
  const pairs: Pair[] = []
  for (let n = 0; n < rounds; n++)
    pairs.push({ run: await run(team), referenceMs: await exchangeAtBareHub(reference.ready.port, messages) })
  const measured = pairs.slice(1)
  const typical = medianBy(measured, ratioOf)
  const { ours, theirs } = typical.run
  const times = measured.map((pair) => `${round(pair.run.ms)} ms of ${round(pair.referenceMs, 1)} ms (${round(ratioOf(pair), 1)})`)
  console.log(`  ${name}: ${times.join(', ')}; ${ours.tokens} of ${theirs.tokens} tokens in ${ours.turns} of ${theirs.turns} turns`)
  return { typical, last: measured.at(-1)?.run ?? typical.run }
}

type Weight = { bytes: number; compressed: number }

/** Each flow once more over connections whose bytes are counted. */
async function countBytes(world: TestWorld): Promise<{ ours: Weight; theirs: Weight }> {
  const weights = { ours: { bytes: 0, compressed: 0 }, theirs: { bytes: 0, compressed: 0 } }
  await using proxy = await openTrafficProxy(world.hubUrl)
  const team = await createBenchTeam(world, { url: proxy.url, name: 'counted' })
  for (const [name, { run }] of Object.entries(flows)) {
    const { traffic, theirs } = await run(team, proxy)
    const bytes = traffic.reduce((sum, way) => sum + way.bytes, 0)
    const compressed = traffic.reduce((sum, way) => sum + compressedBytesOf(way.payloads, way.to === 'hub' ? 8 : 4), 0)
    const up = traffic.reduce((sum, way) => sum + (way.to === 'hub' ? way.bytes : 0), 0)
    const frames = traffic.reduce((sum, way) => sum + way.payloads.length, 0)
    console.log(
      `  ${name}: ${bytes} of ${theirs.bytes} bytes (${up} up, ${bytes - up} down, ${frames} frames); both sides compressing ${compressed} of ${theirs.compressed}`,
    )
    weights.ours.bytes += bytes
    weights.ours.compressed += compressed
    weights.theirs.bytes += theirs.bytes
    weights.theirs.compressed += theirs.compressed
  }
  team.close()
  return weights
}
