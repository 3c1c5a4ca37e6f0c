/**
 * `npm run bench:teams`: how long teams take to talk when their models take no time, and what their talk costs, beside the
 * scheme that repeats goal, members and history (`teams/original.ts`). The server is the real one, with its database, chain
 * and sockets, and shares this machine with the agents; the charters are on chain before the clock starts.
 */
import { loadavg } from 'node:os'
import { deployedChain, developmentKeys, startAnvil } from '../support/chain-state.ts'
import { createDatabaseOn } from '../support/database-on.ts'
import { startTestCluster } from '../support/test-cluster.ts'
import { createWorld } from '../support/world.ts'
import { discuss, pause, type Run, sync } from './teams/flows.ts'
import { type Nested, nested } from './teams/nested.ts'
import { createTroupe, type Troupe } from './teams/troupe.ts'

const rounds = 4
const flows: { readonly [name: string]: { readonly run: (troupe: Troupe) => Promise<Run>; readonly mostMs: number } } = {
  discuss: { run: discuss, mostMs: 150 },
  sync: { run: sync, mostMs: 100 },
  pause: { run: pause, mostMs: 100 },
}
const mostShare = 0.25
const medianOf = (values: readonly number[]) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const round = (value: number, digits = 0) => Number(value.toFixed(digits))

const cluster = await startTestCluster()
const { stateFile, ...deployed } = await deployedChain()
const anvil = await startAnvil({ loadState: stateFile })
const chain = { ...deployed, ...anvil, keys: developmentKeys, warp: async () => {}, [Symbol.asyncDispose]: anvil.stop }
const database = await createDatabaseOn(cluster.admin)
const figures: Record<string, unknown> = {}
let isOk = true
try {
  await using world = await createWorld({ chain, database })
  const troupe = await createTroupe(world)
  const sum = { ours: { tokens: 0, bytes: 0 }, theirs: { tokens: 0, bytes: 0 } }
  for (const [name, { run, mostMs }] of Object.entries(flows)) {
    const runs: Run[] = []
    // The first round warms up.
    for (let n = 0; n < rounds; n++) runs.push(await run(troupe))
    const times = runs.slice(1).map(({ ms }) => ms)
    const [best, median] = [round(Math.min(...times)), round(medianOf(times))]
    const last = runs.at(-1) as Run
    for (const side of ['ours', 'theirs'] as const) {
      sum[side].tokens += last[side].tokens
      sum[side].bytes += last[side].bytes
    }
    console.log(
      `  ${name}: ${times.map((ms) => round(ms)).join(', ')} ms; ${last.ours.tokens} of ${last.theirs.tokens} tokens in ${last.ours.turns} of ${last.theirs.turns} turns, ${last.ours.bytes} of ${last.theirs.bytes} bytes`,
    )
    figures[`${name}_ms`] = best
    figures[`${name}_median_ms`] = median
    figures[`${name}_cpu_ms`] = round(Math.min(...runs.slice(1).map(({ cpuMs }) => cpuMs)))
    if (median >= mostMs) console.log(`  missed: ${name} ${median} ms (target ${mostMs})`)
    isOk &&= median < mostMs
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
  figures.token_share = round(sum.ours.tokens / sum.theirs.tokens, 3)
  figures.byte_share = round(sum.ours.bytes / sum.theirs.bytes, 3)
  for (const what of ['tokens', 'bytes'] as const) {
    const isLittle = sum.ours[what] <= mostShare * sum.theirs[what]
    if (!isLittle) console.log(`  missed: ${what} ${round(sum.ours[what] / sum.theirs[what], 3)} of the other scheme (target ${mostShare})`)
    isOk &&= isLittle
  }
  figures.load = round(loadavg()[0] ?? 0, 1)
  console.log(JSON.stringify({ name: 'bench:teams', ok: isOk, figures }))
  process.exitCode = isOk ? 0 : 1
} finally {
  await cluster.stop()
}
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
