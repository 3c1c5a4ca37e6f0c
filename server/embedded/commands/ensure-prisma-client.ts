// Runs before each measurement: it imports the database client, which a fresh clone does not have and an update leaves behind.
import path from 'node:path'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { step } from '../install/terminal-output.mjs'
import { ensurePrismaClient } from '../postgres/ensure-prisma-client.ts'
import { root } from '../processes/run-script.ts'

const title = (isNew: boolean) => (isNew ? 'database client generated' : 'database client in step')

try {
  await step(title, () => ensurePrismaClient(root, path.join(root, '.parley')))
} catch (error) {
  console.error(error instanceof SetupProblem ? error.message : error)
  process.exitCode = 1
}
process.disconnect?.()
