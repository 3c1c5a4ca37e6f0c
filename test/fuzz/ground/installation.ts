/** A whole installation for the length of a run: PostgreSQL, chain, Stripe's stand-in, hub and built web, all on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { privateKeyToAccount } from 'viem/accounts'
import { type RpcProxy, startFaultyRpcProxy } from '../../../chaos/faulty-rpc-proxy.ts'
import { endWithParent } from '../../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../../server/embedded/processes/next-free-port.ts'
import { root } from '../../../server/embedded/processes/run-script.ts'
import { type StripeFake, startStripeFake } from '../../../server/embedded/stripe-fake/start-stripe-fake.ts'
import { ensureWebBuild } from '../../../server/embedded/web/web-build.ts'
import { createDatabaseOn } from '../../support/create-database-on.ts'
import { deployedChain, startDeployedChain } from '../../support/deployed-chain.ts'
import { startTestCluster } from '../../support/postgres-cluster.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { closedOrigin } from '../operations/notification-recipes.ts'
import type { Look } from './process-probe.ts'

export const webhookSecret = 'whsec_of_the_fuzzer'
/** Active listings of one wallet: as without a setting. */
export const maxListings = 20
/** The operator's wallet, the same in each run. */
export const operator = privateKeyToAccount(`0x${'0f'.repeat(32)}`)

/** A process of the product. `faults`: what it has logged as an error since it was asked last. */
export type Process = {
  readonly name: 'web' | 'hub'
  readonly url: string
  readonly pid: number
  look(collect?: boolean): Promise<Look>
  takeFaults(): string[]
  /** Words that no line of its log may contain. */
  watch(words: readonly string[]): void
  /** The lines that contain one. */
  takeLeaks(): string[]
  isAlive(): boolean
}
export type Installation = AsyncDisposable & {
  readonly world: TestWorld
  readonly web: Process
  readonly hub: Process
  readonly stripe: StripeFake
  readonly rpc: RpcProxy
}
/** `product`: the built checkout whose server is started, this one unless told otherwise. `env`: more for web and hub. `preload`: loaded into both. */
export type InstallationOptions = { readonly product?: string; readonly env?: Readonly<Record<string, string>>; readonly preload?: string }

export async function startInstallation({ product = root, env = {}, preload }: InstallationOptions = {}): Promise<Installation> {
  const ends: (() => unknown)[] = []
  const end = async () => {
    for (const one of ends.reverse()) await one()
  }
  try {
    if (product === root) await ensureWebBuild(root, path.join(root, '.parley'), { NODE_ENV: 'production' })
    const cluster = await startTestCluster()
    ends.push(() => cluster.stop())
    const chain = await startDeployedChain(await deployedChain())
    ends.push(() => chain.stop())
    const database = await createDatabaseOn(cluster.admin)
    const [webPort, hubPort] = [await anyFreePort(), await anyFreePort()]
    const [webUrl, hubUrl] = [`http://localhost:${webPort}`, `http://127.0.0.1:${hubPort}`]
    const stripe = await startStripeFake({ file: null, port: 0, webhookSecret, webhookUrl: `${webUrl}/api/stripe` })
    ends.push(() => stripe.close())
    const rpc = await startFaultyRpcProxy(chain.rpcUrl, () => 0)
    ends.push(() => rpc.close())
    const settings = {
      PUBLIC_URL: webUrl,
      HUB_URL: hubUrl,
      HUB_PORT: String(hubPort),
      OPERATOR_WALLETS: operator.address,
      STRIPE_SECRET_KEY: 'sk_test_fuzz',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
      WEBHOOK_ALLOWED_ORIGINS: closedOrigin,
      // Test worlds have more.
      MAX_LISTINGS_PER_WALLET: String(maxListings),
      MESSAGE_ARCHIVE_DIR: path.join(root, '.parley/test/fuzz-messages'),
    }
    const world = await createWorld({ hub: false, jobs: false, chain, database, env: settings })
    ends.push(() => world[Symbol.asyncDispose]())
    const shared = {
      ...process.env,
      ...world.env,
      CHAIN_RPC_URL: rpc.url,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      // As without a setting, so that each line that an operator reads can be read here.
      LOG_LEVEL: 'info',
      ...env,
    } as NodeJS.ProcessEnv
    const start = (name: 'web' | 'hub', script: string, args: string[], url: string, health: string) =>
      startProcess(name, { product, script, args, env: shared, url, health, preloads: preload ? [preload] : [] })
    const hub = await start('hub', 'server/main.ts', [], hubUrl, '/healthz')
    ends.push(hub.end)
    const web = await start('web', 'server/embedded/web/main.ts', ['--port', String(webPort)], webUrl, '/api/health')
    ends.push(web.end)
    return { world, web: web.process, hub: hub.process, stripe, rpc, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

type Start = { product: string; script: string; args: string[]; env: NodeJS.ProcessEnv; url: string; health: string; preloads: string[] }

async function startProcess(
  name: 'web' | 'hub',
  { product, script, args, env, url, health, preloads }: Start,
): Promise<{ process: Process; end: () => Promise<void> }> {
  const probe = path.join(root, 'test/fuzz/ground/process-probe.ts')
  const imports = [probe, ...preloads].flatMap((file) => ['--import', file])
  const child = spawn(process.execPath, ['--expose-gc', ...imports, path.join(product, script), ...args], {
    cwd: product,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const callOff = endWithParent(child.pid ?? 0, 'KILL')
  const { faults, leaks, watched } = collectFaults(child)
  const end = async () => {
    callOff()
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  try {
    await waitFor(`${url}${health}`, () => child.exitCode === null)
  } catch (error) {
    await end()
    throw new Error(`the ${name} did not start: ${faults.splice(0).join('\n')}`, { cause: error })
  }
  const started: Process = {
    name,
    url,
    pid: child.pid ?? 0,
    look: lookInto(child),
    takeFaults: () => faults.splice(0),
    watch: (words) => watched.push(...words),
    takeLeaks: () => leaks.splice(0),
    isAlive: () => child.exitCode === null && child.signalCode === null,
  }
  return { process: started, end }
}

/** Lines of its log that say that something broke, whatever wrote them. */
function collectFaults(child: ChildProcess): { faults: string[]; leaks: string[]; watched: string[] } {
  const faults: string[] = []
  const leaks: string[] = []
  const watched: string[] = []
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface({ input: stream }).on('line', (line) => {
        const isFault = /"level":(50|60)|"level":"(error|fatal)"|Error|Unhandled|⨯|FATAL/.test(line)
        if (isFault && faults.length < 200) faults.push(line.slice(0, 1_500))
        if (leaks.length < 20 && watched.some((word) => line.includes(word))) leaks.push(line.slice(0, 600))
      })
  return { faults, leaks, watched }
}

function lookInto(child: ChildProcess): Process['look'] {
  let asked = 0
  const waiting = new Map<number, (seen: Look) => void>()
  child.on('message', (told: { look?: number; seen?: Look }) => {
    if (told.look === undefined || !told.seen) return
    waiting.get(told.look)?.(told.seen)
    waiting.delete(told.look)
  })
  child.channel?.unref()
  return (collect = false) =>
    new Promise((resolve, reject) => {
      const look = ++asked
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`process ${child.pid} did not tell how it stands within 60 s`))
      }, 60_000)
      waiting.set(look, (seen) => {
        clearTimeout(timer)
        resolve(seen)
      })
      child.send({ look, collect }, (error) => {
        if (error) reject(error)
      })
    })
}

async function waitFor(url: string, isAlive: () => boolean): Promise<void> {
  for (const until = Date.now() + 90_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (!isAlive()) break
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
  }
  throw new Error(`${url} did not answer`)
}
