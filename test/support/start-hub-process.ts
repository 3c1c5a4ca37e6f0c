import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import type { TestWorld } from './world.ts'

/** The hub as operators run it: a process that can be killed. */
export type HubProcess = AsyncDisposable & { readonly url: string; kill(signal?: NodeJS.Signals): Promise<void>; start(): Promise<void> }

export async function startHubProcess(world: TestWorld): Promise<HubProcess> {
  const port = await anyFreePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  async function start(): Promise<void> {
    child = spawn(process.execPath, [path.join(import.meta.dirname, '../../server/main.ts')], {
      env: { ...process.env, ...world.env, HUB_PORT: String(port), HUB_URL: url, LOG_LEVEL: 'fatal' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await world.until('the hub', () =>
      fetch(`${url}/health`).then(
        (response) => response.ok,
        () => false,
      ),
    )
  }
  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const dying = child
    child = null
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
    const ended = new Promise((resolve) => dying.once('exit', resolve))
    dying.kill(signal)
    await ended
  }
  await start()
  return { url, kill, start, [Symbol.asyncDispose]: () => kill() }
}
