import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { migrationNames } from '../../server/db/check-migrations.ts'
import { hashSources } from '../../server/embedded/install/build-stamps.ts'
import { applyMigrations } from '../../server/embedded/postgres/apply-migrations.ts'
import { copyDataFolder, postgresBinaries, reachableFolder } from '../../server/embedded/postgres/data-folder.ts'
import {
  databaseUrl,
  ensureDatabase,
  initDataFolder,
  postgresReady,
  runningServer,
  runSql,
  spawnPostgres,
} from '../../server/embedded/postgres/postgres.ts'
import { endWithParent } from '../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { describeProcess, endRecorded, isSameProcess, readRecord } from '../../server/embedded/processes/process-records.ts'
import { root } from '../../server/embedded/processes/run-script.ts'

const home = path.join(root, '.parley/test')
const runs = path.join(home, 'runs')
const memory = '/dev/shm'
const runsInMemory = path.join(memory, `parley-test-${process.getuid?.() ?? 'runs'}`)
/** More than the databases of a run come to that are there at one moment, with their log. */
const room = 3 * 2 ** 30
// The server listens on loopback, for the length of a test run, and holds nothing but test data.
const password = 'test'
export const template = 'parley_template'

/** A PostgreSQL for tests. `admin` is the URL of a database from which others can be made. `pid`: its first process. */
export type TestCluster = {
  admin: string
  pid: () => number
  /** Kills it with all its processes, as a crash would, and starts it again on the same data and port. */
  crash: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts a cluster of this run's own, copied from one that was migrated before, which takes a fifth of a second.
 * `isDurable`: with fsync, for who measures what durability costs. `isInMemory`: where the
 * system has room for its files there, for who makes databases by the hundred. `env`: more for its processes. `settings`: of
 * its own.
 */
export async function startTestCluster({
  isDurable = false,
  isInMemory = false,
  env = {},
  settings = {},
}: {
  isDurable?: boolean
  isInMemory?: boolean
  env?: Record<string, string>
  settings?: Record<string, string>
} = {}): Promise<TestCluster> {
  const { dataDir, log, remove } = await freshData(isInMemory && hasRoomInMemory() ? runsInMemory : runs)
  const how: How = { careless: !isDurable, env, settings: isInMemory ? { max_wal_size: '256MB', ...settings } : settings }
  let server = await startOn(dataDir, log, how)
  return {
    admin: server.admin,
    pid: () => server.pid,
    crash: async () => {
      await server.stop('SIGQUIT')
      server = await startOn(dataDir, log, { ...how, port: server.port })
    },
    stop: async () => {
      await server.stop('SIGQUIT')
      remove()
    },
  }
}

/** A copy of the migrated data folder, and its log file. Two copies are byte for byte equal. */
export async function freshData(under = runs): Promise<{ dataDir: string; log: string; remove(): void }> {
  await clearDeadRuns(runs)
  if (fs.existsSync(runsInMemory)) await clearDeadRuns(runsInMemory)
  const migrated = await migratedCluster()
  const run = path.join(under, `${process.pid}-${randomUUID().slice(0, 8)}`)
  fs.mkdirSync(run, { recursive: true })
  fs.writeFileSync(path.join(run, 'owner.json'), JSON.stringify(describeProcess('vitest', process.pid)))
  const dataDir = reachableFolder(path.join(run, 'data'))
  copyDataFolder(migrated, dataDir)
  const remove = () => {
    fs.rmSync(dataDir, { recursive: true, force: true })
    fs.rmSync(run, { recursive: true, force: true })
  }
  return { dataDir, log: path.join(run, 'postgres.log'), remove }
}

/** To make a database is to write 700 files; on a disk, that is most of what many a test has the processor do. */
function hasRoomInMemory(): boolean {
  if (!fs.existsSync(memory)) return false
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize > room && process.availableMemory() > 2 * room
}

type How = { careless?: boolean; port?: number; env?: Record<string, string>; settings?: Record<string, string> }

/** Starts a server on this data folder. `admin`: its URL. */
export async function startOn(dataDir: string, logFile: string, { careless = true, port: wanted, env = {}, settings = {} }: How = {}) {
  const log = fs.openSync(logFile, 'a')
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await anyFreePort())
    const child = spawnPostgres({ dataDir, port, log, careless, env, settings })
    const callOff = endWithParent(child.pid ?? 0, 'INT')
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    try {
      await postgresReady(dataDir, child)
    } catch (error) {
      callOff()
      child.kill('SIGKILL')
      // Another process may have taken the port in the meantime.
      if (attempt < 3) continue
      throw new Error(`The test database did not start.\n${fs.readFileSync(logFile, 'utf8').slice(-2_000)}`, { cause: error })
    }
    return {
      port,
      pid: child.pid ?? 0,
      admin: databaseUrl(port, password, 'postgres'),
      stop: async (signal: NodeJS.Signals) => {
        child.kill(signal)
        await ended
        callOff()
        fs.closeSync(log)
      },
    }
  }
}

/** The stopped cluster to copy from, made once for each state of the migrations. */
async function migratedCluster(): Promise<string> {
  const hash = hashSources(root, ['prisma/migrations', 'server/embedded/postgres/apply-migrations.ts']).slice(0, 16)
  const wanted = reachableFolder(path.join(home, `migrated-${postgresBinaries().version}-${hash}`))
  if (fs.existsSync(wanted)) return wanted
  const half = `${wanted}.${process.pid}`
  initDataFolder(half, password)
  const server = await startOn(half, path.join(home, `migrated-${process.pid}.log`))
  try {
    await ensureDatabase(server.port, password, template)
    const url = databaseUrl(server.port, password, template)
    if (migrationNames(path.join(root, 'prisma/migrations')).length > 0) await applyMigrations(url, path.join(home, 'migrate.log'))
    await runSql(server.admin, `alter database ${template} with is_template true allow_connections false`)
  } catch (error) {
    await server.stop('SIGQUIT')
    fs.rmSync(half, { recursive: true, force: true })
    throw error
  }
  await server.stop('SIGINT')
  for (const old of siblings(wanted)) fs.rmSync(old, { recursive: true, force: true })
  try {
    fs.renameSync(half, wanted)
  } catch (error) {
    fs.rmSync(half, { recursive: true, force: true })
    // Another run has finished the same one first.
    if (!fs.existsSync(wanted)) throw error
  }
  return wanted
}

/** Clusters of earlier migrations. Young ones are kept: another run may be copying one now. */
function siblings(wanted: string): string[] {
  const dir = path.dirname(wanted)
  const old = fs.readdirSync(dir).filter((name) => name.startsWith('migrat') && path.join(dir, name) !== wanted)
  return old.map((name) => path.join(dir, name)).filter((file) => Date.now() - fs.statSync(file).ctimeMs > 3_600_000)
}

/** Ends and removes what a killed run has left, where its owner is proved to be gone. */
async function clearDeadRuns(under: string): Promise<void> {
  fs.mkdirSync(under, { recursive: true })
  for (const name of fs.readdirSync(under)) {
    const run = path.join(under, name)
    const owner = readRecord(path.join(run, 'owner.json'))
    if (owner === null ? Date.now() - fs.statSync(run).ctimeMs < 60_000 : isSameProcess(owner)) continue
    const dataDir = reachableFolder(path.join(run, 'data'))
    const left = runningServer(dataDir)
    if (left) await endRecorded(left, 'SIGQUIT', 3_000)
    fs.rmSync(dataDir, { recursive: true, force: true })
    fs.rmSync(run, { recursive: true, force: true })
  }
}
