/**
 * `npm run fuzz:edge -- --minutes 5`: starts an installation of its own and sends valid but hostile values to everything that can be
 * asked of it, as everybody. `--seed 7` repeats a run, `--case 'name'` one finding; `--only trpc:` takes what begins so,
 * and `--first` ends with the first finding.
 * `--planted` has the product behave as if it had a fault of each class, one after the other, and sees whether each is found.
 */
import { parseArgs } from 'node:util'
import { runFuzz } from './edge/run.ts'
import { findPlanted } from './planted/run.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    case: { type: 'string' },
    only: { type: 'string' },
    first: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    fault: { type: 'string' },
  },
})

async function fuzz(seed: number): Promise<boolean> {
  const fitting = values.only === undefined ? undefined : new RegExp(`^(${values.only})`)
  const out = await runFuzz({
    ...{ seed, minutes: Number(values.minutes), only: values.case, fitting, tell: (line) => console.log(`  ${line}`) },
    ...(values.first && { endsWith: () => true }),
  })
  for (const line of out.coverage.lines()) console.log(`  ${line}`)
  const found = out.findings.map(({ oracle, subject }) => `${oracle}: ${subject}`)
  const isEmpty = !out.figures.attacks && !out.figures.cases
  if (isEmpty) console.error('Nothing ran: no attack and no case has this name. Check --case and --only.')
  const ok = found.length === 0 && !isEmpty
  console.log(JSON.stringify({ name: 'fuzz:edge', ok, figures: { ...out.figures, found } }))
  return ok
}

async function plant(seed: number): Promise<boolean> {
  const all = await findPlanted(seed, (line) => console.log(line), values.fault)
  const missed = all.filter(({ found }) => found.length === 0).map(({ fault }) => fault)
  console.log(JSON.stringify({ name: 'fuzz:edge', ok: missed.length === 0, figures: { seed, planted: all.length, missed } }))
  return missed.length === 0
}

let code = 1
try {
  const seed = Number(values.seed ?? Date.now() % 2 ** 31)
  console.log(`seed ${seed}`)
  code = (await (values.planted ? plant(seed) : fuzz(seed))) ? 0 : 1
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'fuzz:edge', ok: false, figures: {} }))
}
process.exitCode = code
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
