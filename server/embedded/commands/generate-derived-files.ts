// `npm run generate`: generates all derived files.
import path from 'node:path'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { step } from '../install/terminal-output.mjs'
import { ensurePrismaClient } from '../postgres/ensure-prisma-client.ts'
import { root, runScript } from '../processes/run-script.ts'

const stateDir = path.join(root, '.parley')
const log = path.join(stateDir, 'logs/generate.log')

try {
  await step('database client', () => ensurePrismaClient(root, stateDir))
  await step('protocol schemas', () => runScript('Generating the schemas', 'protocol/generate.ts', [], { log }))
  await step('contracts compiled', () => runScript('Compiling the contracts', 'node_modules/hardhat/dist/src/cli.js', ['build'], { log }))
  await step('contract ABIs', () => runScript('Writing the ABIs', 'contracts/abi/generate.ts', [], { log }))
} catch (error) {
  console.error(error instanceof SetupProblem ? error.message : error)
  process.exitCode = 1
}
process.disconnect?.()
