/**
 * `npm run check:money`: every state that a plan, a goal, a channel, a card payment and a transaction can get into while parties are
 * silent or malicious and everything outside fails for a while. Every funded state has to end, without an operator. Then every
 * timeout is taken away, and every planted fault put in: each has to be found. Ends with one JSON line.
 */

import { exceptions } from './accepted-dead-ends.ts'
import { explore } from './explore.ts'
import { find } from './find-planted-fault.ts'
import { mapContractEvents, mapStripeEvents } from './map-events-to-transitions.ts'
import { plants } from './planted-faults.ts'
import { large, worlds } from './profiles.ts'
import { type PlantedFault, timeouts } from './removed-timeouts.ts'
import { rules } from './rules.ts'
import { clockFaults, timeConstants } from './time-constants.ts'

const seconds = () => process.cpuUsage().user / 1e6
const figures = { worlds: 0, states: 0, transitions: 0, longestPath: 0, longestDays: 0 }
let isOk = true

for (const world of [...worlds, ...large]) {
  const before = seconds()
  const { world: name, states, transitions, longestPath, longestDays, faults, isCut } = explore(world(rules), { maxFaults: 3 })
  const took = (seconds() - before).toFixed(1)
  console.log(
    `  ${name}: ${states} states, ${transitions} transitions, ends in ${longestPath} moves, ${longestDays.toFixed(1)} days, ${took} CPU s`,
  )
  for (const fault of faults) console.log(`    ${fault.kind}: ${fault.what}\n      ${fault.path.join(' > ')}`)
  if (isCut) console.log('    cut: there are more states')
  isOk &&= faults.length === 0 && !isCut
  figures.worlds++
  figures.states += states
  figures.transitions += transitions
  figures.longestPath = Math.max(figures.longestPath, longestPath)
  figures.longestDays = Math.max(figures.longestDays, Math.round(longestDays * 10) / 10)
}

/** How many of these the check finds. */
function count(what: string, faults: readonly PlantedFault[]): string {
  const found = faults.filter((fault) => {
    const finding = find(fault)
    console.log(`  ${what} ${fault.name}: ${finding ?? 'MISSED'}`)
    return finding !== null
  }).length
  isOk &&= found === faults.length
  return `${found}/${faults.length}`
}
const timeoutsFound = count('without', timeouts)
const plantsFound = count('planted:', plants)

function mapped({ total, missing }: ReturnType<typeof mapContractEvents>): string {
  if (missing.length > 0) console.log(`  events without a transition: ${missing.join(', ')}`)
  isOk &&= missing.length === 0
  return `${total - missing.length}/${total}`
}
const events = { contractEvents: mapped(mapContractEvents()), stripeEvents: mapped(mapStripeEvents()) }
const unclear = clockFaults()
for (const fault of unclear) console.log(`  time constant: ${fault}`)
isOk &&= unclear.length === 0
for (const { name, reason } of exceptions) console.log(`  exception: ${name}. ${reason}`)
const cpuSeconds = Math.round(seconds())
const all = {
  ...figures,
  timeoutsFound,
  plantsFound,
  timeConstants: timeConstants().length,
  ...events,
  exceptions: exceptions.map(({ name }) => name),
  cpuSeconds,
}
console.log(JSON.stringify({ name: 'check:money', ok: isOk, figures: all }))
process.exitCode = isOk ? 0 : 1
