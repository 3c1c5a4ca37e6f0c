import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { anvilReady, spawnAnvil } from '../chain/anvil.ts'
import { chainFiles, removeLaterGenesisBlocks, restoreTruncatedChainState } from '../chain/restore-and-copy-chain-state.ts'
import { natsReady, spawnNats } from '../cluster/nats.ts'
import type { ProxyOptions } from '../cluster/reverse-proxy.ts'
import { childEnvironment } from '../install/child-environment.mjs'
import { printLine } from '../install/terminal-output.mjs'
import { postgresReady, spawnPostgres } from '../postgres/postgres.ts'
import { root } from '../processes/run-script.ts'
import type { Service } from '../processes/supervise.ts'

export function databaseService(dataDir: string, port: number): Service {
  return {
    name: 'postgres',
    spawn: (log) => spawnPostgres({ dataDir, port, log }),
    ready: (child) => postgresReady(dataDir, child),
    // PostgreSQL's fast shutdown: rolls back open transactions.
    stopSignal: 'SIGINT',
    graceMs: 20_000,
  }
}

export function chainService(chainDir: string, port: number): Service {
  return {
    name: 'anvil',
    spawn: (log) => {
      if (restoreTruncatedChainState(chainDir)) printLine('  The chain was cut off while it saved itself; its last whole copy is used.')
      removeLaterGenesisBlocks(chainDir)
      return spawnAnvil({ port, log, state: chainFiles(chainDir).state, cacheDir: path.join(chainDir, 'cache') })
    },
    ready: (child) => anvilReady(`http://127.0.0.1:${port}`, child),
    graceMs: 20_000,
  }
}

/** The Stripe fake, and the URL of its webhooks. */
export function stripeService(stateFile: string, port: number, webhookUrl: string, webhookSecret: string): Service {
  const args = ['server/embedded/stripe-fake/main.ts', stateFile, String(port), webhookUrl]
  return {
    name: 'stripe',
    spawn: (log) => spawnNode(args, { STRIPE_WEBHOOK_SECRET: webhookSecret }, log),
    ready: (child) => healthy(child, `http://127.0.0.1:${port}/health`),
  }
}

export function natsService(binary: string, dataDir: string, port: number): Service {
  return {
    name: 'nats',
    spawn: (log) => spawnNats(binary, { port, dataDir, log }),
    ready: (child) => natsReady(port, child),
  }
}

export function proxyService(options: ProxyOptions): Service {
  return {
    name: 'proxy',
    spawn: (log) => spawnNode(['server/embedded/cluster/reverse-proxy-main.ts', JSON.stringify(options)], {}, log),
    ready: (child) => healthy(child, `http://127.0.0.1:${options.port}/v1/server`),
  }
}

export type ProcessEnvironment = Record<string, string | undefined>

/** `leaveMs`: see `WebServerOptions`; 0 without a proxy. */
type WebOptions = { readonly host: string; readonly port: number; readonly name?: string; readonly leaveMs?: number }

export function webService(env: ProcessEnvironment, { host, port, name = 'web', leaveMs = 0 }: WebOptions): Service {
  const args = ['server/embedded/web/main.ts', '--host', host, '--port', String(port), '--leave-ms', String(leaveMs)]
  return {
    name,
    spawn: (log) => spawnNode(args, env, log),
    ready: (child) => healthy(child, `http://${reachable(host)}:${port}/api/health`),
    graceMs: 25_000,
  }
}

export function hubService(env: ProcessEnvironment, host: string, port: number, name = 'hub'): Service {
  return {
    name,
    spawn: (log) => spawnNode(['server/main.ts'], env, log),
    ready: (child) => healthy(child, `http://${reachable(host)}:${port}/health`),
  }
}

/**
 * The built-in agents have no port to probe: their log states when all are listed. If that takes long, they retry, and nothing else waits
 * for them.
 */
export function agentsService(env: ProcessEnvironment, logFile: string): Service & { areListed: () => boolean } {
  let begins = 0
  const areListed = () => fs.readFileSync(logFile).subarray(begins).includes('The built-in agents are listed')
  return {
    name: 'agents',
    spawn: (log) => {
      begins = fs.statSync(logFile).size
      return spawnNode(['agents/builtin/supervisor.ts'], env, log)
    },
    ready: async () => {
      const deadline = Date.now() + 20_000
      while (!areListed() && Date.now() < deadline) await new Promise((done) => setTimeout(done, 100))
    },
    areListed,
  }
}

function spawnNode(args: string[], env: ProcessEnvironment, log: number): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, detached: true, env: childEnvironment(env), stdio: ['ignore', log, log] })
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function healthy(child: ChildProcess, url: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const last = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => (response.ok ? null : `${response.status} ${response.statusText}`),
      (error: Error) => error.message,
    )
    if (last === null) return
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended before it was ready')
    if (Date.now() > deadline) throw new Error(`${url} does not answer well (${last})`)
    await new Promise((done) => setTimeout(done, 50))
  }
}
