import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import path from 'node:path'

export const localChainId = 31_337

export type AnvilOptions = {
  port: number
  log: number
  /** The state file: loaded at the start if it exists, written every few seconds and at the end. */
  state?: string
  /** The genesis file: loaded at the start, never written. */
  loadState?: string
  cacheDir: string
  /** Default: the id of a local chain. */
  chainId?: number
  /**
   * How many of the newest blocks keep their state, in memory. A rollback further back fails. By default anvil moves old states to
   * disk and reads them back without the code of the contracts.
   */
  keptStates?: number
}

function anvilBinary(): string {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const name = `@foundry-rs/anvil-${process.platform}-${processor}`
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}

/** Starts the chain as a child in its own process group, so that Ctrl-C reaches this process first. */
export function spawnAnvil(options: AnvilOptions): ChildProcess {
  fs.mkdirSync(options.cacheDir, { recursive: true })
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port),
    '--chain-id',
    String(options.chainId ?? localChainId),
    '--quiet',
    '--cache-path',
    options.cacheDir,
  ]
  if (options.state !== undefined) args.push('--state', options.state, '--state-interval', '2')
  if (options.loadState !== undefined) args.push('--load-state', options.loadState)
  if (options.keptStates !== undefined) args.push('--prune-history', String(options.keptStates))
  return spawn(anvilBinary(), args, { detached: true, stdio: ['ignore', options.log, options.log] })
}

/** Sends one JSON-RPC request. */
export async function callChain(rpcUrl: string, method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { message?: string } }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}

/**
 * Waits until the chain answers.
 * @throws if the process ended first, for example because its port is taken
 */
export async function anvilReady(rpcUrl: string, child: ChildProcess, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('anvil ended before it was ready')
    // Probe the port first: a failed request costs as much as many connections.
    const up = (await isTaken(rpcUrl)) && (await callChain(rpcUrl, 'eth_chainId').catch(() => null))
    if (up) return
    if (Date.now() > deadline) throw new Error(`anvil was not ready after ${timeoutMs / 1000} s`)
    await new Promise((done) => setTimeout(done, 15))
  }
}

/** Whether anything listens there. */
function isTaken(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
