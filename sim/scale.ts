/**
 * `npm run sim:scale`: simulates a mesh of hubs and up to a million agents that post while sockets, agents, hubs and links fail. The events
 * take the measured costs of the hub. Every receiver's order is checked.
 *   npm run sim:scale                          10³ to 10⁶ agents, one minute of messages each.
 *   npm run sim:scale -- --agents 1000,10000   Some of them.
 *   npm run sim:scale -- --seconds 20 --seed 7
 *   npm run sim:scale -- --write               Writes sim/scale/figures.json, from which docs/capacity.md is generated.
 *   npm run sim:scale -- --agents 1000 --talk 2 --bug "no dedupe"   With buggy hubs: the check must find the bug.
 */
import { readCosts } from '../bench/hub/measured-hub-costs.ts'
import { sumNumbers } from '../chaos/hub/check-delivery.ts'
import { findThroughputLimit } from './scale/find-throughput-limit.ts'
import { writeScaleFigures } from './scale/scale-figures-store.ts'
import { type SimulationFigures, simulate } from './scale/simulate.ts'
import { type Bug, bugs } from './scale/simulation-state.ts'
import { load2032, workloadSettingOf } from './scale/workload-settings.ts'

const maxSeconds = 180
const maxMegabytes = 2_048

const args = process.argv.slice(2)
const given = (name: string, fallback: string) => (args.includes(`--${name}`) ? (args[args.indexOf(`--${name}`) + 1] ?? '') : fallback)
const sizes = given('agents', '1000,10000,100000,1000000').split(',').map(Number)
const seconds = Number(given('seconds', '60'))
const seed = Number(given('seed', '1'))
const talk = Number(given('talk', String(load2032)))
const bug = given('bug', 'none') as Bug
if (!bugs.includes(bug)) throw new RangeError(`There is no bug "${bug}". There are: ${bugs.join(', ')}.`)

const costs = readCosts()
const began = performance.now()
const meshes: Record<string, SimulationFigures> = {}
for (const agents of sizes) {
  const found = simulate(workloadSettingOf({ agents, seconds, seed, talk, costs, bug }))
  meshes[agents] = found
  show(found)
}
const limit = bug === 'none' ? findThroughputLimit(costs, seed) : null
if (limit)
  console.log(
    `  a hub is full at ${limit.messages_per_s} messages/s in rooms of eight, and its ${limit.first} is so first; ` +
      `within it p99 ${limit.at_80_percent_p99_ms} ms at 80 % of that, ${limit.at_120_percent_p99_ms} ms at 120 %`,
  )
const took = {
  seconds: Number(((performance.now() - began) / 1_000).toFixed(1)),
  megabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
}
console.log(`  took ${took.seconds} s and ${took.megabytes} MB`)
if (limit && args.includes('--write')) writeScaleFigures({ seed, seconds, meshes: Object.values(meshes), limit })
const isOk = Object.values(meshes).every(isSound) && took.seconds <= maxSeconds && took.megabytes <= maxMegabytes
console.log(JSON.stringify({ name: 'sim:scale', ok: isOk, figures: { seed, meshes, limit, took } }))
process.exitCode = isOk ? 0 : 1
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()

/** No guarantee was broken, every message was acked, and enough faults happened. */
function isSound(found: SimulationFigures): boolean {
  return sumNumbers(found.faults) === 0 && found.unanswered === 0 && found.cuts > 0 && found.from_log > 0 && found.storm_agents > 0
}

function show(found: SimulationFigures): void {
  const { bytes_per_message: bytes, busy, busiest } = found
  const share = (of: number) => `${(of * 100).toFixed(1)} %`
  console.log(`${found.agents} agents, ${found.hubs} hubs, ${found.rooms} rooms: ${found.messages} messages, ${found.events} events`)
  console.log(
    `  heard ${found.live} live (p50 ${found.p50_ms} ms, p99 ${found.p99_ms} ms over the networks; within the hub p50 ${found.hub_p50_ms} ms, p99 ${found.hub_p99_ms} ms), ${found.from_log} from the log`,
  )
  console.log(
    `  ${found.cuts} sockets cut, ${found.moves} seats given up or taken, ${found.storm_agents} agents thrown out at once and all back after ${found.storm_ms} ms, ${found.resends} messages sent again`,
  )
  console.log(
    `  bytes per message: ${bytes.to_hubs} to hubs, ${bytes.to_agents} to agents, ${bytes.between_hubs} between hubs; busy: hub ${share(busy.hub)} (at most ${share(busiest.hub)}), PostgreSQL ${share(busy.postgres)} (${share(busiest.postgres)}), disk ${share(busy.disk)} (${share(busiest.disk)})`,
  )
  console.log(`  faults: ${JSON.stringify(found.faults)}, unanswered ${found.unanswered}`)
}
