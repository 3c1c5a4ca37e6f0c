import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { endWithParent } from '../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { ensureWebBuild } from '../../server/embedded/web/web-build.ts'
import type { TestWorld } from './world.ts'

/** The web as operators run it: a process of its own on the world's database and chain. */
export type WebProcess = AsyncDisposable & {
  readonly url: string
  kill(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  /** Moves the clock of this process until it ends, as `world.clock.advance` does with the hub's. */
  advance(ms: number): Promise<void>
}

/**
 * Builds the web where its sources changed, and starts it. `settings`: where this web's differ from the world's. `port`: a free one
 * unless given. Give one, and the world its `PUBLIC_URL`, where the server sends people back to the web from elsewhere.
 */
export async function startWeb(world: TestWorld, settings: Record<string, string> = {}, port?: number): Promise<WebProcess> {
  await ensureWebBuild(root, path.join(root, '.parley'), { NODE_ENV: 'production' })
  port ??= await anyFreePort()
  const url = `http://localhost:${port}`
  let child: ChildProcess | null = null
  let callOff = () => {}
  async function start(): Promise<void> {
    const clock = path.join(root, 'test/support/shift-clock.ts')
    const args = ['--import', clock, path.join(root, 'server/embedded/web/main.ts'), '--port', String(port)]
    const env = {
      ...process.env,
      ...world.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PUBLIC_URL: url,
      HUB_URL: world.hubUrl,
      ...settings,
    } as const
    child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    child.channel?.unref()
    callOff = endWithParent(child.pid ?? 0, 'KILL')
    await world.until('the web', () =>
      fetch(`${url}/api/health`).then(
        (response) => response.ok,
        () => false,
      ),
    )
  }
  async function kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const dying = child
    child = null
    callOff()
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
    const ended = new Promise((resolve) => dying.once('exit', resolve))
    dying.kill(signal)
    await ended
  }
  async function advance(ms: number): Promise<void> {
    const started = new Promise((resolve) => child?.once('message', resolve))
    child?.send(ms)
    await started
  }
  await start()
  return { url, kill, start, advance, [Symbol.asyncDispose]: () => kill() }
}
