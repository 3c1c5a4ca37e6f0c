/** `node test/protocol/rooms/main.ts`: larger worlds, which take long; one of more than five million states is cut, and said so. Ends with one JSON line. */
import { explore, type Profile } from './explore.ts'

const base = { agents: 4, tasks: 6, depth: 0, turns: false, crashes: 0, brakes: false, money: false } satisfies Profile
const profiles: Profile[] = [
  { ...base, turns: true, money: true, crashes: 1, brakes: true },
  { ...base, depth: 1 },
  { ...base, tasks: 5, depth: 2 },
  { ...base, agents: 3, tasks: 4, depth: 2, money: true, crashes: 1 },
]
const reports = profiles.map((profile) => {
  const { states, steps, faults, cut } = explore(profile)
  console.log(`  ${JSON.stringify(profile)}: ${states} states, ${steps} steps${cut ? ', cut' : ''}`)
  for (const fault of faults) console.log(JSON.stringify(fault))
  return { states, ok: faults.length === 0 && !cut }
})
const ok = reports.every((report) => report.ok)
console.log(
  JSON.stringify({ name: 'rooms', ok, figures: { worlds: reports.length, states: reports.reduce((sum, { states }) => sum + states, 0) } }),
)
process.exitCode = ok ? 0 : 1
