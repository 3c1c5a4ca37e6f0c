// `npm run chaos:hub -- --stage A`: kills the hub and its database under load, and counts messages that were lost, duplicated or out of
// order. `--minutes 5`: another duration with the same rate of faults. Stage G traces the write that precedes each ack.

import { inMinutes, stages } from './hub/fault-stages.ts'
import { missedBy, runHubFaultStage } from './hub/run-hub-fault-stage.ts'
import { traceWriteOrder } from './hub/trace-write-order.ts'

const option = (name: string) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)
const name = option('--stage') ?? 'A'
const minutes = Number(option('--minutes') ?? 0)

async function run(): Promise<{ missed: readonly string[]; figures: Record<string, unknown> }> {
  if (name === 'G') return traceWriteOrder(100)
  const stage = stages[name]
  if (!stage) throw new RangeError(`There is no stage ${name}. There are: ${[...Object.keys(stages), 'G'].sort().join(', ')}.`)
  const length = minutes > 0 ? inMinutes(stage, minutes) : stage
  const out = await runHubFaultStage(length, Math.random, (line) => console.log(line))
  const { faults, done, ...happened } = out
  return { missed: missedBy(length, out), figures: { minutes: Number((length.ms / 60_000).toFixed(1)), ...faults, ...done, ...happened } }
}

try {
  const { missed, figures } = await run()
  for (const [figure, value] of Object.entries(figures)) console.log(`  ${figure.replaceAll('_', ' ')}: ${value}`)
  for (const one of missed) console.log(`  missed: ${one}`)
  console.log(JSON.stringify({ name: 'chaos:hub', ok: missed.length === 0, figures: { stage: name, ...figures } }))
  process.exitCode = missed.length === 0 ? 0 : 1
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'chaos:hub', ok: false, figures: { stage: name } }))
  process.exitCode = 1
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
