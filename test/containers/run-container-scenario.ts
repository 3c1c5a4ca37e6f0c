import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { checkDelivery, type Faults, sumNumbers } from '../../chaos/hub/check-delivery.ts'
import { type Client, startLoadClient } from '../../chaos/hub/load-client.ts'
import { headsOf, readMessageLog } from '../../chaos/hub/read-message-log.ts'
import { until } from '../../chaos/hub/run-hub-fault-stage.ts'
import { startReverseProxy } from '../../server/embedded/cluster/reverse-proxy.ts'
import { childEnvironment } from '../../server/embedded/install/child-environment.mjs'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import type { ContainerRuntime, Target } from './container-runtime.ts'
import type { BackingServices } from './start-backing-services.ts'

const startWithinMs = 90_000
const goalWithinMs = 240_000
const quietWithinMs = 30_000
const postEveryMs = 25
const [rooms, members] = [3, 4]

export type ContainerOutcome = {
  /** Whether the demo's goal was completed and paid, and transcript, chain and ledger agreed. */
  readonly goal: boolean
  /** The exit code of the hub that was replaced, and the time from its stop signal to its end. */
  readonly replaced_exit: number
  readonly shutdown_ms: number
  readonly sent: number
  readonly acked: number
  readonly reconnects: number
  readonly refused: number
  readonly faults: Faults
  readonly is_quiet: boolean
}

/** Whether nothing was lost, and the hub was in fact replaced while messages were sent. */
export const isFlawless = (out: ContainerOutcome): boolean =>
  out.goal && out.replaced_exit === 0 && out.reconnects > 0 && out.is_quiet && out.refused === 0 && sumNumbers(out.faults) === 0

/** Migrations, two hubs and a web as containers behind a proxy; one goal through them, and one hub that is replaced meanwhile. */
export async function runContainerScenario(runtime: ContainerRuntime, services: BackingServices, log: (line: string) => void) {
  await using cleanUp = new AsyncDisposableStack()
  const [hubPorts, webPort, frontPort] = [[await anyFreePort(), await anyFreePort()], await anyFreePort(), await anyFreePort()]
  const publicUrl = `http://localhost:${frontPort}`
  const env = services.environmentFor(publicUrl)
  const begin = async (name: string, target: Target, port: number) => {
    const host = '127.0.0.1'
    const command = ['node', 'server/embedded/web/main.ts', '--host', host, '--port', String(port), '--leave-ms', '1500']
    cleanUp.defer(() => runtime.remove(name))
    runtime.start({ name, target, env: { ...env, HUB_HOST: host, HUB_PORT: String(port) }, ...(target === 'web' && { command }) })
    const probe = `http://${host}:${port}${target === 'web' ? '/api/health' : '/readyz'}`
    if (!(await until(() => isOk(probe), startWithinMs))) throw new Error(`${name} is not ready:\n${runtime.logsOf(name)}`)
  }
  const nameOf = (part: string) => `parley-test-${process.pid}-${part}`
  const migrate = { name: nameOf('migrate'), target: 'hub', env: { DATABASE_URL: services.databaseUrl } } as const
  runtime.run({ ...migrate, command: ['node', 'server/embedded/commands/deploy-migrations.ts'] })
  log('  the migrations are applied')
  await Promise.all([...hubPorts.map((port, at) => begin(nameOf(`hub-${at + 1}`), 'hub', port)), begin(nameOf('web'), 'web', webPort)])
  log('  two hubs and a web are ready')
  const hubs = hubPorts.map((port) => `http://127.0.0.1:${port}`)
  const proxy = await startReverseProxy({ port: frontPort, hubs, webs: [`http://127.0.0.1:${webPort}`], probeEveryMs: 200 })
  cleanUp.defer(() => proxy.close())
  const agents = startAgents(services, env)
  cleanUp.defer(() => void agents.kill('SIGTERM'))

  const clients = await startClients(services.databaseUrl, hubs)
  cleanUp.defer(() => {
    for (const client of clients) client.close()
  })
  const posting = postSteadily(clients)
  const demo = runDemo(publicUrl, services.chain.rpcUrl)
  await pause(5_000)
  const from = performance.now()
  const exit = runtime.stop(nameOf('hub-1'))
  const shutdownMs = Math.round(performance.now() - from)
  await begin(nameOf('hub-3'), 'hub', hubPorts[0] ?? 0)
  log(`  a hub was replaced; it ended after ${shutdownMs} ms with exit code ${exit}`)
  const goal = await demo
  await posting.end()
  const isQuiet = await until(() => hasEverything(clients, services.databaseUrl), quietWithinMs)
  return outcomeOf(clients, {
    goal,
    exit,
    shutdownMs,
    isQuiet,
    faults: checkDelivery(await readMessageLog(services.databaseUrl, clients)),
  })
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )

/** The built-in agents are clients of the market: they run outside of its containers. */
function startAgents(services: BackingServices, env: Readonly<Record<string, string>>): ChildProcess {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-containers-'))
  const { PUBLIC_URL, HUB_URL, CHAIN_RPC_URL, CHAIN_ID, ESCROW_ADDRESS, TOKEN_ADDRESS } = env
  const own = { PUBLIC_URL, HUB_URL, CHAIN_RPC_URL, CHAIN_ID, ESCROW_ADDRESS, TOKEN_ADDRESS }
  return spawn(process.execPath, ['agents/builtin/supervisor.ts'], {
    ...{ cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    env: childEnvironment({ ...own, PUBLISHER_PRIVATE_KEY: services.publisherKey, PARLEY_HOME: home }),
  })
}

async function startClients(databaseUrl: string, hubs: readonly string[]): Promise<Client[]> {
  const actors = await seedAgents(databaseUrl, 1, rooms, members)
  const urls = hubs.map((url) => `${url.replace('http', 'ws')}/v1/ws`)
  const clients = actors.map((actor, index) => {
    const own = urls.map((_, at) => urls[(index + at) % urls.length] ?? '')
    return startLoadClient(own, actor, Math.random, { duplicates: 0.03 })
  })
  if (!(await until(() => clients.every((client) => client.counts.connects > 0), startWithinMs)))
    throw new Error('An agent is not connected.')
  return clients
}

function postSteadily(clients: readonly Client[]): { end(): Promise<void> } {
  let isOver = false
  const running = (async () => {
    for (let at = 0; !isOver; at++, await pause(postEveryMs)) await clients[at % clients.length]?.postNext()
  })()
  return {
    end() {
      isOver = true
      return running
    },
  }
}

/** One goal of the demo, in which a team hires another. */
function runDemo(webUrl: string, rpcUrl: string): Promise<boolean> {
  const child = spawn(process.execPath, ['test/demo/main.ts', '--url', webUrl, '--rpc', rpcUrl, '--nested'], {
    ...{ cwd: root, stdio: ['ignore', 'inherit', 'inherit'], timeout: goalWithinMs },
    env: childEnvironment(),
  })
  return new Promise((done) => child.once('exit', (code) => done(code === 0)))
}

async function hasEverything(clients: readonly Client[], databaseUrl: string): Promise<boolean> {
  if (clients.some((client) => client.unanswered() > 0)) return false
  const heads = await headsOf(databaseUrl)
  return clients.every((client) => client.cursor() === heads.get(client.actor.roomId))
}

type Observed = Pick<ContainerOutcome, 'goal' | 'faults'> & { exit: number; shutdownMs: number; isQuiet: boolean }

function outcomeOf(clients: readonly Client[], { exit, shutdownMs, isQuiet, ...rest }: Observed): ContainerOutcome {
  const total = (count: (client: Client) => number) => clients.reduce((sum, client) => sum + count(client), 0)
  return {
    ...rest,
    ...{ replaced_exit: exit, shutdown_ms: shutdownMs, is_quiet: isQuiet },
    sent: total((client) => client.sent.length),
    acked: total((client) => client.acks.length),
    reconnects: total((client) => client.counts.connects) - clients.length,
    refused: total((client) => client.counts.refused),
  }
}
