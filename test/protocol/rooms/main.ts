/**
 * `npm run check:rooms`: every schedule of up to four agents, six tasks and rooms two deep, with their money, and of worlds of
 * one room with turns, brakes and crashes. One of more than five million states would be cut, and said so. Ends with one JSON line.
 */
import { explore, type Profile } from './explore.ts'
import { exploreFactored } from './explore-factored.ts'

const base = { agents: 4, tasks: 6, depth: 0, turns: false, crashes: 0, brakes: false, money: true } satisfies Profile
const factored: Profile[] = [
  { ...base, depth: 2 },
  { ...base, tasks: 4, depth: 2, brakes: true },
]
const plain: Profile[] = [
  { ...base, turns: true, crashes: 1, brakes: true },
  { ...base, agents: 3, tasks: 3, depth: 2, crashes: 1 },
]

const seconds = () => process.cpuUsage().user / 1e6
let isOk = true
const figures = { worlds: 0, states: 0, steps: 0, depth: 0, cpu_s: 0 }
for (const profile of [...factored, ...plain]) {
  const before = seconds()
  const report = plain.includes(profile) ? { ...explore(profile), depth: 0 } : { ...exploreFactored(profile), cut: false }
  const { states, steps, ends, depth, faults, cut } = report
  const took = seconds() - before
  const deep = depth > 0 ? `, at most ${depth} from the first` : ''
  console.log(
    `  ${JSON.stringify(profile)}: ${states} states${deep}, ${steps} steps, ${ends} ends, ${took.toFixed(1)} CPU s${cut ? ', cut' : ''}`,
  )
  for (const fault of faults) console.log(JSON.stringify(fault))
  isOk &&= faults.length === 0 && !cut
  figures.worlds++
  figures.states += states
  figures.steps += steps
  figures.depth = Math.max(figures.depth, depth)
  figures.cpu_s = Math.round(figures.cpu_s + took)
}
console.log(JSON.stringify({ name: 'check:rooms', ok: isOk, figures }))
process.exitCode = isOk ? 0 : 1
