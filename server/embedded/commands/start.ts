// `npm start`: starts all of Parley on this machine, until Ctrl-C.
import fs from 'node:fs'
import path from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { type Deployed, ensureContractDeployment } from '../chain/ensure-contract-deployment.ts'
import { startCopyingChainState } from '../chain/restore-and-copy-chain-state.ts'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { printLine, step } from '../install/terminal-output.mjs'
import { applyMigrations, demandBaseline, pendingMigrations } from '../postgres/apply-migrations.ts'
import { reachableFolder } from '../postgres/data-folder.ts'
import { ensurePrismaClient } from '../postgres/ensure-prisma-client.ts'
import { databaseUrl, ensureDatabase, initDataFolder, runSql } from '../postgres/postgres.ts'
import { preallocateOwnWal } from '../postgres/preallocate-wal.ts'
import { acquireFileLock } from '../processes/file-lock.ts'
import { isPortFree, nextFreePort } from '../processes/next-free-port.ts'
import { root } from '../processes/run-script.ts'
import { openServiceGroup } from '../processes/service-group.ts'
import { logFileOf, type ProcessFolders } from '../processes/supervise.ts'
import { ensureWebBuild } from '../web/web-build.ts'
import { type Keys, loadDevKeys } from './dev-keys.ts'
import { endStaleProcesses } from './end-stale-processes.ts'
import { agentsService, chainService, databaseService, hubService, type ProcessEnvironment, stripeService, webService } from './services.ts'
import { readHome, readSettings } from './start-settings.mjs'

// Build results belong to the checkout, not to the home folder.
const buildDir = path.join(root, '.parley')
const stateDir = readHome(root, process.argv.slice(2))
const chainDir = path.join(stateDir, 'chain')
const dataDir = reachableFolder(path.join(stateDir, 'postgres/18'))
const processFolders: ProcessFolders = { runDir: path.join(stateDir, 'run'), logsDir: path.join(stateDir, 'logs') }
const parts = openServiceGroup('Parley', ['agents', 'hub', 'web', 'stripe', 'anvil', 'postgres'], processFolders)

type Settings = ReturnType<typeof readSettings>

async function main(): Promise<void> {
  const begun = performance.now()
  const settings = readSettings(process.argv.slice(2))
  holdLock()
  const ended = await endStaleProcesses(processFolders.runDir, dataDir)
  if (ended.length > 0) printLine(`  ended what an earlier start had left running: ${ended.join(', ')}`)
  await demandPorts(settings)
  if (settings.freshChain) moveAside()
  const keys = loadDevKeys(stateDir)
  await step(
    (isNew) => (isNew ? 'database client generated' : 'database client in step'),
    () => ensurePrismaClient(root, buildDir),
  )

  const [url, rpcUrl, cards] = await Promise.all([startDatabase(settings, keys), startChain(settings), startStripe(settings, keys)])
  await demandBaseline(url, settings.databaseUrl ? ownDatabaseRemedy : embeddedDatabaseRemedy)
  const deployed = settings.chain ? null : await step(contractsLine, () => ensureLocalContracts(url, rpcUrl, keys))
  if (deployed?.isOutdated) {
    printLine(
      '  The contracts have changed since they were deployed here. "npm start -- --fresh-chain" deploys the new ones on a new chain.',
    )
  }
  const env = { ...serverEnvironment(settings, keys, { url, rpcUrl, deployed }), ...cards }
  const migrate = () =>
    step(
      (count) => (count ? `${count} database migrations applied` : 'database in step'),
      () => migrateDatabase(url),
    )
  const build = () =>
    step(
      (isNew) => (isNew ? 'web built' : 'web build in step'),
      () => ensureWebBuild(root, buildDir, env),
    )
  if (process.availableMemory() > 3 * 2 ** 30) await allOrFirstFailure([migrate(), build()])
  else {
    await migrate()
    await build()
  }
  await deployed?.bindDatabase()

  const { webHost, webPort, hubHost, hubPort } = settings
  await allOrFirstFailure([
    step(`web answers on port ${webPort}`, () => parts.keep(webService(env, { host: webHost, port: webPort }))),
    step(`hub answers on port ${hubPort}`, () => parts.keep(hubService(env, hubHost, hubPort))),
  ])
  const agents = agentsService(agentsEnvironment(env, keys), logFileOf(processFolders, 'agents'))
  await step(
    () =>
      agents.areListed() ? 'built-in agents at work' : `built-in agents still signing in: ${shown(logFileOf(processFolders, 'agents'))}`,
    () => parts.keep(agents),
  )
  printLine(`\nParley is ready after ${((performance.now() - begun) / 1000).toFixed(1)} s:  ${settings.publicUrl}\n`)
  printLine(
    `Open it, sign in with the development wallet, and post a goal. Ctrl-C ends everything; your data stays in ${shown(stateDir)}/.`,
  )
  if (!settings.databaseUrl) preallocateOwnWal(url, dataDir)
}

function shown(file: string): string {
  return path.relative(root, file)
}

function holdLock(): void {
  const lock = acquireFileLock(path.join(stateDir, 'run/lock'))
  if ('release' in lock) process.once('exit', lock.release)
  else
    throw new SetupProblem(
      `Parley already runs in this folder (process ${lock.pid}). End that one with Ctrl-C first, or clone the repository again to run two.`,
    )
}

async function demandPorts({ webPort, webHost, hubPort, hubHost }: Settings): Promise<void> {
  for (const [part, variable, port, host] of [
    ['web', 'PORT', webPort, webHost],
    ['hub', 'HUB_PORT', hubPort, hubHost],
  ] as const) {
    if (await isPortFree(port, host)) continue
    const other = await nextFreePort(port + 1, host)
    throw new SetupProblem(
      `Port ${port}, which the ${part} wants, is taken by another program. End that, or give the ${part} another: ${variable}=${other} npm start`,
    )
  }
}

/** Moves the chain and the database aside. They are kept, because only the user knows whether they are needed. */
function moveAside(): void {
  const aside = path.join(stateDir, 'aside', new Date().toISOString().replaceAll(':', '-'))
  fs.mkdirSync(aside, { recursive: true })
  if (fs.existsSync(chainDir)) fs.renameSync(chainDir, path.join(aside, 'chain'))
  const stripeDir = path.join(stateDir, 'stripe')
  if (fs.existsSync(stripeDir)) fs.renameSync(stripeDir, path.join(aside, 'stripe'))
  const inside = dataDir.startsWith(stateDir)
  if (fs.existsSync(dataDir)) fs.renameSync(dataDir, inside ? path.join(aside, 'postgres') : `${dataDir}-${path.basename(aside)}`)
  printLine(`  the chain and database so far were moved to ${shown(aside)}`)
}

async function startDatabase(settings: Settings, keys: Keys): Promise<string> {
  if (settings.databaseUrl) {
    const own = settings.databaseUrl
    return step('your database answers', async () => {
      await runSql(own, 'select 1').catch((error: Error) => {
        throw new SetupProblem(
          `The database at DATABASE_URL (${new URL(own).host}) cannot be used: ${error.message}. Correct it, or unset it to use the embedded one.`,
        )
      })
      return own
    })
  }
  return step(
    (url) => `database ready on port ${new URL(url).port}`,
    async () => {
      initDataFolder(dataDir, keys.databasePassword)
      const port = await nextFreePort(54_329)
      await parts.keep(databaseService(dataDir, port))
      await ensureDatabase(port, keys.databasePassword, 'parley')
      const url = databaseUrl(port, keys.databasePassword, 'parley')
      fs.writeFileSync(path.join(stateDir, 'database-url'), `${url}\n`, { mode: 0o600 })
      return url
    },
  )
}

const ownDatabaseRemedy =
  'Set DATABASE_URL to an empty database, or unset it to use the embedded one. The version that created this database can still use it.'

/** With the arguments of this start, which name its home folder. */
const embeddedDatabaseRemedy = `Run "npm start -- ${[...process.argv.slice(2), '--fresh-chain'].join(' ')}": it moves the database and the chain to ${shown(path.join(stateDir, 'aside'))}/, deletes nothing, and starts with new ones.`

async function startChain(settings: Settings): Promise<string> {
  const own = settings.chain?.CHAIN_RPC_URL
  if (own) return own
  return step(
    (url) => `chain ready on port ${new URL(url).port}`,
    async () => {
      fs.mkdirSync(chainDir, { recursive: true })
      const port = await nextFreePort(8_545)
      await parts.keep(chainService(chainDir, port))
      startCopyingChainState(chainDir)
      return `http://127.0.0.1:${port}`
    },
  )
}

/** The Stripe settings: the user's account, or the fake that this starts. */
async function startStripe(settings: Settings, keys: Keys): Promise<ProcessEnvironment> {
  if (settings.stripe) return settings.stripe
  // With a real chain there are no fake cards.
  if (settings.chain) return {}
  return step(
    () => 'fake Stripe ready',
    async () => {
      const port = await nextFreePort(12_111)
      const webhookUrl = `http://${settings.webHost === '0.0.0.0' ? '127.0.0.1' : settings.webHost}:${settings.webPort}/api/stripe`
      await parts.keep(stripeService(path.join(stateDir, 'stripe/state.json'), port, webhookUrl, keys.webhookSecret))
      const apiUrl = `http://127.0.0.1:${port}`
      return { STRIPE_SECRET_KEY: 'sk_test_standin', STRIPE_WEBHOOK_SECRET: keys.webhookSecret, STRIPE_API_URL: apiUrl }
    },
  )
}

function ensureLocalContracts(url: string, rpcUrl: string, keys: Keys): Promise<Deployed> {
  const funded = [keys.settler, keys.evaluator, keys.publisher]
  return ensureContractDeployment({ rpcUrl, chainDir, databaseUrl: url, deployerKey: keys.deployer, funded })
}

function contractsLine(deployed: Deployed): string {
  return deployed.isNew ? `contracts deployed (escrow ${deployed.escrow.slice(0, 10)}…)` : 'contracts in place'
}

async function migrateDatabase(url: string): Promise<number> {
  const pending = await pendingMigrations(url, path.join(root, 'prisma/migrations'))
  if (pending.length > 0) await applyMigrations(url, path.join(processFolders.logsDir, 'migrate.log'))
  return pending.length
}

/** `url`: of the database. `deployed`: null with a chain of the settings. */
type StartedServices = { readonly url: string; readonly rpcUrl: string; readonly deployed: Deployed | null }

function serverEnvironment(settings: Settings, keys: Keys, { url, rpcUrl, deployed }: StartedServices): ProcessEnvironment {
  const chain = settings.chain ?? {
    CHAIN_RPC_URL: rpcUrl,
    CHAIN_ID: String(deployed?.chainId),
    ESCROW_ADDRESS: deployed?.escrow,
    TOKEN_ADDRESS: deployed?.token,
    CHANNELS_ADDRESS: deployed?.channels,
    SETTLER_PRIVATE_KEY: keys.settler,
    EVALUATOR_PRIVATE_KEY: keys.evaluator,
    ARBITRATOR_PRIVATE_KEY: keys.arbitrator,
  }
  return {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    SERVER_SIGNING_KEY: settings.serverSigningKey ?? keys.serverSigning,
    PUBLIC_URL: settings.publicUrl,
    HUB_URL: settings.hubUrl,
    HUB_HOST: settings.hubHost,
    HUB_PORT: String(settings.hubPort),
    BUILTIN_PUBLISHER_WALLET: privateKeyToAccount(keys.publisher).address,
    ...chain,
    PUBLISHER_PRIVATE_KEY: undefined,
  }
}

/** The built-in agents are external clients: they get the server's addresses, and none of its keys or its database. */
function agentsEnvironment(env: ProcessEnvironment, keys: Keys): ProcessEnvironment {
  const { DATABASE_URL: _, SETTLER_PRIVATE_KEY: _settler, EVALUATOR_PRIVATE_KEY: _evaluator, SERVER_SIGNING_KEY: _signing, ...open } = env
  const withheld = {
    STRIPE_SECRET_KEY: undefined,
    STRIPE_WEBHOOK_SECRET: undefined,
    DATABASE_URL: undefined,
    SETTLER_PRIVATE_KEY: undefined,
    EVALUATOR_PRIVATE_KEY: undefined,
    ARBITRATOR_PRIVATE_KEY: undefined,
    SIGNER_TOKEN: undefined,
    ARBITRATOR_SIGNER_TOKEN: undefined,
    SERVER_SIGNING_KEY: undefined,
  }
  const home = stateDir === buildDir ? {} : { PARLEY_HOME: path.join(stateDir, 'agents') }
  return { ...open, ...withheld, ...home, PUBLISHER_PRIVATE_KEY: keys.publisher }
}

/** Waits for all results, also after a failure, so that nothing is still starting when the shutdown begins. */
async function allOrFirstFailure(work: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

parts.runUntilAsked(main)
