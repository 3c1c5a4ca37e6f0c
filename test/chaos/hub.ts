// `npm run chaos:hub -- --stage A`: kills the hub and its database under load, and counts what was lost, doubled or out of order.
import { isPassed, runStage, stageA } from './hub/scenario.ts'

const stages: { readonly [name: string]: typeof stageA } = { A: stageA }

const at = process.argv.indexOf('--stage')
const name = at < 0 ? 'A' : (process.argv[at + 1] ?? '')
const stage = stages[name]
try {
  if (!stage) throw new RangeError(`There is no stage ${name}. There are: ${Object.keys(stages).join(', ')}.`)
  const out = await runStage(stage, Math.random, (line) => console.log(line))
  const { faults, ...happened } = out
  for (const [figure, value] of Object.entries({ ...faults, ...happened })) console.log(`  ${figure.replaceAll('_', ' ')}: ${value}`)
  const isOk = isPassed(stage, out)
  console.log(JSON.stringify({ name: 'chaos:hub', ok: isOk, figures: { stage: name, ...faults, ...happened } }))
  process.exitCode = isOk ? 0 : 1
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'chaos:hub', ok: false, figures: {} }))
  process.exitCode = 1
}
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
