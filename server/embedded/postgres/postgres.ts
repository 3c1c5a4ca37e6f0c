import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { childEnvironment } from '../install/child-environment.mjs'
import { identityOf, type ProcessRecord } from '../processes/process-records.ts'
import { makeDataFolder, postgresBinaries, postgresUser } from './data-folder.ts'

export const superuser = 'parley'

/** Initializes the data folder if needed. A folder without a version file is a partial result and is created again. */
export function initDataFolder(dataDir: string, password: string): void {
  if (fs.existsSync(path.join(dataDir, 'PG_VERSION')) && fs.existsSync(path.join(dataDir, 'global/pg_control'))) return
  fs.rmSync(dataDir, { recursive: true, force: true })
  makeDataFolder(dataDir)
  const secret = `${dataDir}.password`
  fs.writeFileSync(secret, `${password}\n`, { mode: 0o600 })
  if (postgresUser) fs.chownSync(secret, postgresUser.uid, postgresUser.gid)
  const args = [
    '-D',
    dataDir,
    '-U',
    superuser,
    '-A',
    'scram-sha-256',
    `--pwfile=${secret}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const made = spawnSync(path.join(postgresBinaries().dir, 'initdb'), args, { ...postgresUser, cwd: '/', encoding: 'utf8' })
  fs.rmSync(secret)
  if (made.status !== 0) {
    fs.rmSync(dataDir, { recursive: true, force: true })
    throw new Error(`initdb failed: ${made.stderr || made.error?.message}`)
  }
}

/** The server that runs on this data, if any. Its pid file is trusted only if that process works in this folder. */
export function runningServer(dataDir: string): ProcessRecord | null {
  const pid = Number(readPidFile(dataDir)?.[0])
  if (!Number.isInteger(pid) || pid <= 1) return null
  const identity = identityOf(pid)
  return identity !== null && worksIn(pid, dataDir) ? { name: 'postgres', pid, identity } : null
}

function readPidFile(dataDir: string): string[] | null {
  try {
    return fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
}

function worksIn(pid: number, dataDir: string): boolean {
  if (process.platform === 'linux') {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(dataDir)
    } catch {
      return false
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(`-D ${dataDir}`)
}

export type PostgresOptions = {
  dataDir: string
  port: number
  log: number
  /** For data that need not survive a power cut, such as tests. */
  careless?: boolean
  /** Extra environment variables. */
  env?: Record<string, string>
  /** Override the settings below. */
  settings?: Record<string, string>
}

const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB' }
/** Settings for message writes: memory for recent data, and recycled WAL files. docs/operations/cluster.md explains them. */
const durable = { shared_buffers: '256MB', wal_buffers: '16MB', min_wal_size: '512MB', max_wal_size: '2GB' }

/** Starts the server as a child in its own process group, so that Ctrl-C reaches this process first. */
export function spawnPostgres(options: PostgresOptions): ChildProcess {
  // A stale pid file would stop PostgreSQL if another process has its id.
  if (runningServer(options.dataDir) === null) fs.rmSync(path.join(options.dataDir, 'postmaster.pid'), { force: true })
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    log_min_messages: 'warning',
    ...(options.careless ? careless : durable),
    ...options.settings,
  }
  const args = [
    '-D',
    options.dataDir,
    '-p',
    String(options.port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  return spawn(path.join(postgresBinaries().dir, 'postgres'), args, {
    ...postgresUser,
    cwd: '/',
    detached: true,
    stdio: ['ignore', options.log, options.log],
    ...(options.env && { env: childEnvironment(options.env) }),
  })
}

/**
 * Waits until the server's pid file reports that it accepts connections.
 * @throws if the process ended first
 */
export async function postgresReady(dataDir: string, child: ChildProcess, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const lines = readPidFile(dataDir)
    if (Number(lines?.[0]) === child.pid && lines?.[7]?.trim() === 'ready') return
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('PostgreSQL ended before it was ready')
    if (Date.now() > deadline) throw new Error(`PostgreSQL was not ready after ${timeoutMs / 1000} s`)
    await new Promise((done) => setTimeout(done, 15))
  }
}

export function databaseUrl(port: number, password: string, database: string): string {
  return `postgresql://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

/** Runs SQL statements on a new connection. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows ?? []
  } finally {
    await client.end()
  }
}

export async function ensureDatabase(port: number, password: string, database: string): Promise<void> {
  const admin = databaseUrl(port, password, 'postgres')
  const rows = await runSql(admin, `select 1 from pg_database where datname = '${database}'`)
  if (rows.length === 0) await runSql(admin, `create database "${database}"`)
}
