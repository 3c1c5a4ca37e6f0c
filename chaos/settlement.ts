// `npm run chaos:settlement [-- --seed 7] [-- --short]`: kills the settlement worker at every failpoint while its environment fails, and
// checks all payments. `--faults stuck_nonce,lie_forged_logs`: injects only these faults.
import { faultsOf, isVoid, type RunFigures } from './settlement/inspect-run.ts'
import { shortRunProfile, wholeRunProfile } from './settlement/run-profiles.ts'
import { runSettlementScenario } from './settlement/run-settlement-scenario.ts'
import { withTestEnvironment } from './settlement/with-test-environment.ts'

const at = process.argv.indexOf('--seed')
const seed = at < 0 ? Date.now() % 2 ** 31 : Number(process.argv[at + 1])
const isShort = process.argv.includes('--short')
const profile = isShort ? shortRunProfile : wholeRunProfile
const only = process.argv[process.argv.indexOf('--faults') + 1]?.split(',') ?? []
const isOnly = process.argv.includes('--faults')
const faults = isOnly ? Object.fromEntries(Object.entries(profile.faults).filter(([kind]) => only.includes(kind))) : profile.faults
let figures: RunFigures | null = null
try {
  figures = await withTestEnvironment((environment) =>
    runSettlementScenario(environment, { ...profile, faults, seed }, (line) => console.log(line)),
  )
} catch (error) {
  console.error(error)
}
const isOk = figures !== null && faultsOf(figures) === 0 && !isVoid(figures) && figures.payouts >= (isShort ? 32 : 100)
for (const [name, value] of Object.entries(figures ?? {})) console.log(`  ${name}: ${JSON.stringify(value)}`)
console.log(JSON.stringify({ name: 'chaos:settlement', ok: isOk, figures: figures ?? {} }))
process.exitCode = isOk ? 0 : 1
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
