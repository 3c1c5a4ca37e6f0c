import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import path from 'node:path'

export const localChainId = 31_337

export type AnvilOptions = {
  port: number
  log: number
  /** Read at the start if it is there, written every few seconds and at the end. */
  state?: string
  /** Read at the start, never written. */
  loadState?: string
  cacheDir: string
  /** Unset: that of a local chain. */
  chainId?: number
}

function anvilBinary(): string {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const name = `@foundry-rs/anvil-${process.platform}-${processor}`
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}

/** Starts the chain as a child of ours, in a process group of its own so that a Ctrl-C is ours to pass on. */
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
  return spawn(anvilBinary(), args, { detached: true, stdio: ['ignore', options.log, options.log] })
}

/** One JSON-RPC call. */
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

/** Waits until the chain answers; throws when the child ended first, as it does when its port is taken. */
export async function anvilReady(rpcUrl: string, child: ChildProcess, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('anvil ended before it was ready')
    // A request that nobody takes costs as much as many connections.
    const up = (await isTaken(rpcUrl)) && (await callChain(rpcUrl, 'eth_chainId').catch(() => null))
    if (up) return
    if (Date.now() > deadline) throw new Error(`anvil was not ready after ${timeoutMs / 1000} s`)
    await new Promise((done) => setTimeout(done, 15))
  }
}

/** Whether anybody takes connections there. */
function isTaken(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
