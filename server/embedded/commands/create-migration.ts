// `npm run db:migrate -- --name what_changes`: writes the migration for an edited schema, with a temporary database.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { childEnvironment } from '../install/child-environment.mjs'
import { reachableFolder } from '../postgres/data-folder.ts'
import { databaseUrl, ensureDatabase, initDataFolder, postgresReady, spawnPostgres } from '../postgres/postgres.ts'
import { endWithParent } from '../processes/end-with-parent.ts'
import { anyFreePort } from '../processes/next-free-port.ts'
import { root } from '../processes/run-script.ts'

const home = path.join(root, '.parley/migrate')
const dataDir = reachableFolder(path.join(home, `data-${process.pid}`))
const password = 'migrate'

fs.mkdirSync(home, { recursive: true })
const log = fs.openSync(path.join(home, 'postgres.log'), 'w')
initDataFolder(dataDir, password)
const port = await anyFreePort()
const server = spawnPostgres({ dataDir, port, log, careless: true })
const callOff = endWithParent(server.pid ?? 0, 'INT')
try {
  await postgresReady(dataDir, server)
  await ensureDatabase(port, password, 'parley')
  process.exitCode = await new Promise<number>((done) => {
    const prisma = spawn(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', 'dev', ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
      env: childEnvironment({ DATABASE_URL: databaseUrl(port, password, 'parley') }),
    })
    prisma.once('exit', (code) => done(code ?? 1))
  })
} finally {
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGINT')
  await ended
  callOff()
  fs.closeSync(log)
  fs.rmSync(dataDir, { recursive: true, force: true })
}
process.disconnect?.()
