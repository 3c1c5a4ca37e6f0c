// `npm run build`: builds the database client and the web, without starting anything.
import path from 'node:path'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { step } from '../install/terminal-output.mjs'
import { ensurePrismaClient } from '../postgres/ensure-prisma-client.ts'
import { root } from '../processes/run-script.ts'
import { ensureWebBuild } from '../web/web-build.ts'

const stateDir = path.join(root, '.parley')

try {
  await step(
    (isNew) => (isNew ? 'database client generated' : 'database client in step'),
    () => ensurePrismaClient(root, stateDir),
  )
  await step(
    (isNew) => (isNew ? 'web built' : 'web build in step'),
    () => ensureWebBuild(root, stateDir, { NODE_ENV: 'production' }),
  )
} catch (error) {
  console.error(error instanceof SetupProblem ? error.message : error)
  process.exitCode = 1
}
process.disconnect?.()
