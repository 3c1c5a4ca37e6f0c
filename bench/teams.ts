/**
 * `npm run bench:teams`: how long teams take to talk when their models take no time, and what their talk costs, beside the
 * scheme that repeats goal, members and history (`teams/history-resending-scheme.ts`). The server is the real one, with its database, chain
 * and sockets, and shares this machine with the agents; the charters are on chain before the clock starts. Bytes are counted
 * on the agents' own connections, all that passes from a flow's first word to its last ack.
 */
import { loadavg } from 'node:os'
import { deployedChain, startDeployedChain } from '../test/support/chain-state.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/test-cluster.ts'
import { createWorld, type TestWorld } from '../test/support/world.ts'
import { squeezedBytes } from './bytes/compress-messages.ts'
import { discuss, pause, type Run, sync } from './teams/conversation-flows.ts'
import { type Nested, nested } from './teams/nested-team-flow.ts'
import { createTroupe, type Troupe } from './teams/team-agents.ts'
import { openTrafficProxy, type Tap } from './teams/traffic-proxy.ts'

const rounds = 4
const flows: { readonly [name: string]: { readonly run: (troupe: Troupe, tap?: Tap) => Promise<Run>; readonly maxMs: number } } = {
  discuss: { run: discuss, maxMs: 150 },
  sync: { run: sync, maxMs: 100 },
  pause: { run: pause, maxMs: 100 },
}
/** Of the tokens and bytes of the other scheme. */
const maxShare = { token: 0.25, byte: 0.65 }
const medianOf = (values: readonly number[]) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const round = (value: number, digits = 0) => Number(value.toFixed(digits))

const cluster = await startTestCluster()
const chain = await startDeployedChain(await deployedChain())
const database = await createDatabaseOn(cluster.admin)
const figures: Record<string, unknown> = {}
let isOk = true
try {
  await using world = await createWorld({ chain, database })
  const troupe = await createTroupe(world)
  const tokens = { ours: 0, theirs: 0 }
  for (const [name, { run, maxMs }] of Object.entries(flows)) {
    const runs: Run[] = []
    // The first round warms up.
    for (let n = 0; n < rounds; n++) runs.push(await run(troupe))
    const times = runs.slice(1).map(({ ms }) => ms)
    const [best, median] = [round(Math.min(...times)), round(medianOf(times))]
    const last = runs.at(-1) as Run
    for (const side of ['ours', 'theirs'] as const) tokens[side] += last[side].tokens
    console.log(
      `  ${name}: ${times.map((ms) => round(ms)).join(', ')} ms; ${last.ours.tokens} of ${last.theirs.tokens} tokens in ${last.ours.turns} of ${last.theirs.turns} turns`,
    )
    figures[`${name}_ms`] = best
    figures[`${name}_median_ms`] = median
    figures[`${name}_cpu_ms`] = round(Math.min(...runs.slice(1).map(({ cpuMs }) => cpuMs)))
    if (median >= maxMs) console.log(`  missed: ${name} ${median} ms (target ${maxMs})`)
    isOk &&= median < maxMs
  }
  for (const mode of ['sync', 'async'] as const) {
    const runs: Nested[] = []
    for (let n = 0; n < rounds; n++) runs.push(await nested(troupe, mode))
    const [ends, median] = [runs.every(({ ended }) => ended), medianOf(runs.slice(1).map(({ ms }) => ms))]
    const hired = medianOf(runs.slice(1).map(({ hiredMs }) => hiredMs))
    console.log(
      `  nested ${mode}: ${ends ? 'ends' : 'does not end'} (the original never), ${runs
        .slice(1)
        .map(({ ms }) => round(ms))
        .join(', ')} ms, of which ${round(hired)} to hire, the chain's record included`,
    )
    figures[`nested_${mode}_ends`] = ends
    figures[`nested_${mode}_median_ms`] = round(median)
    figures[`nested_${mode}_hired_ms`] = round(hired)
    isOk &&= ends
  }
  troupe.close()
  const bytes = await weigh(world)
  const shares = {
    token: tokens.ours / tokens.theirs,
    byte: bytes.ours.bytes / bytes.theirs.bytes,
    squeezed_byte: bytes.ours.squeezed / bytes.theirs.squeezed,
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
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()

type Weight = { bytes: number; squeezed: number }

/** Each flow once more over tapped connections. */
async function weigh(world: TestWorld): Promise<{ ours: Weight; theirs: Weight }> {
  const weights = { ours: { bytes: 0, squeezed: 0 }, theirs: { bytes: 0, squeezed: 0 } }
  await using tap = await openTrafficProxy(world.hubUrl)
  const troupe = await createTroupe(world, { url: tap.url, name: 'tapped' })
  for (const [name, { run }] of Object.entries(flows)) {
    const { ways, theirs } = await run(troupe, tap)
    const bytes = ways.reduce((sum, way) => sum + way.bytes, 0)
    const squeezed = ways.reduce((sum, way) => sum + squeezedBytes(way.payloads, way.to === 'hub' ? 8 : 4), 0)
    const up = ways.reduce((sum, way) => sum + (way.to === 'hub' ? way.bytes : 0), 0)
    const frames = ways.reduce((sum, way) => sum + way.payloads.length, 0)
    console.log(
      `  ${name}: ${bytes} of ${theirs.bytes} bytes (${up} up, ${bytes - up} down, ${frames} frames); both sides compressing ${squeezed} of ${theirs.squeezed}`,
    )
    weights.ours.bytes += bytes
    weights.ours.squeezed += squeezed
    weights.theirs.bytes += theirs.bytes
    weights.theirs.squeezed += theirs.squeezed
  }
  troupe.close()
  return weights
}
