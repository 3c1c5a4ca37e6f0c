// `npm run cluster -- --hubs 3 --webs 2`: starts several hubs and webs with one PostgreSQL, one chain, a proxy, and NATS if available. It
// runs until Ctrl-C. Its data is separate from that of `npm start`.
import fs from 'node:fs'
import path from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { ensureContractDeployment } from '../chain/ensure-contract-deployment.ts'
import { startCopyingChainState } from '../chain/restore-and-copy-chain-state.ts'
import { ensureNats } from '../cluster/nats.ts'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { printLine, step } from '../install/terminal-output.mjs'
import { applyMigrations, demandBaseline, pendingMigrations } from '../postgres/apply-migrations.ts'
import { reachableFolder } from '../postgres/data-folder.ts'
import { ensurePrismaClient } from '../postgres/ensure-prisma-client.ts'
import { databaseUrl, ensureDatabase, initDataFolder } from '../postgres/postgres.ts'
import { preallocateOwnWal } from '../postgres/preallocate-wal.ts'
import { acquireFileLock } from '../processes/file-lock.ts'
import { isPortFree, nextFreePort } from '../processes/next-free-port.ts'
import { root } from '../processes/run-script.ts'
import { openServiceGroup } from '../processes/service-group.ts'
import { logFileOf, type ProcessFolders } from '../processes/supervise.ts'
import { ensureWebBuild } from '../web/web-build.ts'
import { type ClusterSettings, readClusterSettings, table } from './cluster-settings.ts'
import { type Keys, loadDevKeys } from './dev-keys.ts'
import { endStaleProcesses } from './end-stale-processes.ts'
import * as services from './services.ts'

const buildDir = path.join(root, '.parley')
const stateDir = path.join(buildDir, 'cluster')
const processFolders: ProcessFolders = { runDir: path.join(stateDir, 'run'), logsDir: path.join(stateDir, 'logs'), firstDelayMs: 100 }
const dataDir = reachableFolder(path.join(stateDir, 'postgres/18'))
const chainDir = path.join(stateDir, 'chain')
const host = '127.0.0.1'
/** The proxy probes twice a second. */
const leaveMs = 1_500
const parts = openServiceGroup('the cluster', ['agents', 'hub', 'web', 'proxy', 'nats', 'anvil', 'postgres'], processFolders)

async function main(): Promise<void> {
  const settings = readClusterSettings(process.argv.slice(2))
  const lock = acquireFileLock(path.join(stateDir, 'run/lock'))
  if (!('release' in lock)) throw new SetupProblem(`A cluster already runs in this folder (process ${lock.pid}). End it with Ctrl-C first.`)
  process.once('exit', lock.release)
  await endStaleProcesses(processFolders.runDir, dataDir)
  if (!(await isPortFree(settings.port, host)))
    throw new SetupProblem(`Port ${settings.port} is taken. Give the cluster another: npm run cluster -- --port ${settings.port + 10}`)
  const keys = loadDevKeys(stateDir)
  await step(
    (isNew) => (isNew ? 'database client generated' : 'database client in step'),
    () => ensurePrismaClient(root, buildDir),
  )
  const [url, rpcUrl, natsUrl] = await Promise.all([startDatabase(keys), startChain(), startNats(settings.nats)])
  await demandBaseline(url, emptyDatabaseRemedy())
  const publicUrl = `http://localhost:${settings.port}`
  const env = await environment(keys, { url, rpcUrl, natsUrl, publicUrl })
  await migrateDatabase(url)
  if (settings.webs > 0)
    await step(
      (isNew) => (isNew ? 'web built' : 'web build in step'),
      () => ensureWebBuild(root, buildDir, env),
    )
  const ports = await startServers(env, settings)
  if (settings.agents && settings.webs > 0) await startAgents(env, keys)
  printLine(`\n${overview({ url, rpcUrl, natsUrl, publicUrl }, ports)}\n`)
  printLine(
    `The cluster is ready: ${publicUrl}. Kill any of its hubs or webs: it comes back. Ctrl-C ends everything; data stays in ${shown(stateDir)}/.`,
  )
  preallocateOwnWal(url, dataDir)
}

/** The database and the chain belong together. As root, the database can be outside the state folder. */
function emptyDatabaseRemedy(): string {
  const folders = dataDir.startsWith(stateDir) ? [shown(stateDir)] : [shown(stateDir), dataDir]
  return `Move ${folders.join(' and ')} to another place, then start the cluster again. It starts with a new database and a new chain.`
}

type Addresses = { readonly url: string; readonly rpcUrl: string; readonly natsUrl: string | undefined; readonly publicUrl: string }
type ServerPorts = { readonly hubs: readonly number[]; readonly webs: readonly number[] }

/** Once, before any process runs. `npm run db:deploy` does the same elsewhere. */
async function migrateDatabase(url: string): Promise<void> {
  const pending = await pendingMigrations(url, path.join(root, 'prisma/migrations'))
  if (pending.length > 0)
    await step(`${pending.length} database migrations applied`, () =>
      applyMigrations(url, path.join(processFolders.logsDir, 'migrate.log')),
    )
}

/** Starts hubs and webs, then the proxy that probes them. */
async function startServers(env: services.ProcessEnvironment, settings: ClusterSettings): Promise<ServerPorts> {
  const hubs = await portsFor(settings.hubs, settings.port + 1_000)
  const webs = await portsFor(settings.webs, settings.port + 2_000)
  await step(`${hubs.length} hubs and ${webs.length} webs answer`, () =>
    Promise.all([
      ...hubs.map((port, at) =>
        parts.keep(services.hubService({ ...env, HUB_HOST: host, HUB_PORT: String(port) }, host, port, `hub-${at + 1}`)),
      ),
      ...webs.map((port, at) => parts.keep(services.webService(env, { host, port, name: `web-${at + 1}`, leaveMs }))),
    ]),
  )
  await step(`proxy answers on port ${settings.port}`, () =>
    parts.keep(services.proxyService({ port: settings.port, host, hubs: hubs.map(addressOf), webs: webs.map(addressOf) })),
  )
  return { hubs, webs }
}

function overview({ url, rpcUrl, natsUrl, publicUrl }: Addresses, { hubs, webs }: ServerPorts): string {
  const servers = (kind: string, ports: readonly number[], probe: string) =>
    ports.map((port, index) => [`${kind}-${index + 1}`, addressOf(port), probe, pidOf(`${kind}-${index + 1}`)])
  return table([
    ['process', 'address', 'asked by the proxy', 'pid'],
    ['proxy', publicUrl, '', pidOf('proxy')],
    ...servers('hub', hubs, '/readyz'),
    ...servers('web', webs, '/api/health'),
    ['nats', natsUrl ?? 'none: PostgreSQL wakes the processes', '', natsUrl ? pidOf('nats') : ''],
    ['postgres', new URL(url).host, '', pidOf('postgres')],
    ['chain', rpcUrl, '', pidOf('anvil')],
  ])
}

const addressOf = (port: number) => `http://${host}:${port}`
const shown = (file: string) => path.relative(root, file)

function pidOf(name: string): string {
  const file = path.join(processFolders.runDir, `${name}.json`)
  return fs.existsSync(file) ? String((JSON.parse(fs.readFileSync(file, 'utf8')) as { pid: number }).pid) : '–'
}

async function portsFor(count: number, from: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await nextFreePort((ports.at(-1) ?? from - 1) + 1, host))
  return ports
}

function startDatabase(keys: Keys): Promise<string> {
  return step(
    (url) => `database ready on port ${new URL(url).port}`,
    async () => {
      initDataFolder(dataDir, keys.databasePassword)
      const port = await nextFreePort(54_429)
      await parts.keep(services.databaseService(dataDir, port))
      await ensureDatabase(port, keys.databasePassword, 'parley')
      return databaseUrl(port, keys.databasePassword, 'parley')
    },
  )
}

function startChain(): Promise<string> {
  return step(
    (url) => `chain ready on port ${new URL(url).port}`,
    async () => {
      fs.mkdirSync(chainDir, { recursive: true })
      const port = await nextFreePort(8_645)
      await parts.keep(services.chainService(chainDir, port))
      startCopyingChainState(chainDir)
      return `http://${host}:${port}`
    },
  )
}

async function startNats(wanted: 'auto' | 'yes' | 'no'): Promise<string | undefined> {
  const binary = wanted === 'no' ? null : ensureNats()
  if (!binary && wanted === 'yes')
    throw new SetupProblem('There is no nats-server here, and none could be unpacked from Debian. Install one, or leave --nats out.')
  if (!binary) return undefined
  return step(
    (url) => `NATS ready on port ${new URL(url).port}`,
    async () => {
      const port = await nextFreePort(4_222)
      await parts.keep(services.natsService(binary, path.join(stateDir, 'nats'), port))
      return `nats://${host}:${port}`
    },
  )
}

async function startAgents(env: services.ProcessEnvironment, keys: Keys): Promise<void> {
  const agents = services.agentsService(agentsEnvironment(env, keys), logFileOf(processFolders, 'agents'))
  await step(
    () => (agents.areListed() ? 'built-in agents at work' : 'built-in agents still signing in'),
    () => parts.keep(agents),
  )
}

async function environment(keys: Keys, at: Addresses): Promise<services.ProcessEnvironment> {
  const funded = [keys.settler, keys.evaluator, keys.publisher]
  const deployed = await step('contracts in place', () =>
    ensureContractDeployment({ rpcUrl: at.rpcUrl, chainDir, databaseUrl: at.url, deployerKey: keys.deployer, funded }),
  )
  await deployed.bindDatabase()
  return {
    NODE_ENV: 'production',
    DATABASE_URL: at.url,
    NATS_URL: at.natsUrl,
    SERVER_SIGNING_KEY: keys.serverSigning,
    PUBLIC_URL: at.publicUrl,
    HUB_URL: at.publicUrl,
    TRUSTED_PROXIES: 'loopback',
    CHAIN_RPC_URL: at.rpcUrl,
    CHAIN_ID: String(deployed.chainId),
    ESCROW_ADDRESS: deployed.escrow,
    TOKEN_ADDRESS: deployed.token,
    CHANNELS_ADDRESS: deployed.channels,
    SETTLER_PRIVATE_KEY: keys.settler,
    EVALUATOR_PRIVATE_KEY: keys.evaluator,
    ARBITRATOR_PRIVATE_KEY: keys.arbitrator,
    BUILTIN_PUBLISHER_WALLET: privateKeyToAccount(keys.publisher).address,
    STRIPE_SECRET_KEY: undefined,
    PUBLISHER_PRIVATE_KEY: undefined,
  }
}

/** The built-in agents are external clients: they get the addresses and their own key, and nothing else. */
function agentsEnvironment(env: services.ProcessEnvironment, keys: Keys): services.ProcessEnvironment {
  const ours = new Set(['PUBLIC_URL', 'HUB_URL', 'NODE_ENV', 'CHAIN_RPC_URL', 'CHAIN_ID', 'ESCROW_ADDRESS', 'TOKEN_ADDRESS'])
  const withheld = Object.fromEntries(Object.keys(env).flatMap((name) => (ours.has(name) ? [] : [[name, undefined]])))
  return { ...env, ...withheld, PUBLISHER_PRIVATE_KEY: keys.publisher, PARLEY_HOME: path.join(stateDir, 'agents') }
}

parts.runUntilAsked(main)
