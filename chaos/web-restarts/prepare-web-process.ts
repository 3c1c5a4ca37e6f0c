import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { endWithParent } from '../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { until } from '../hub/run-hub-fault-stage.ts'

/** A web server in its own process, on a fixed port. */
export type WebUnderTest = {
  readonly url: string
  start(): Promise<void>
  /** Stops it. Returns the milliseconds until the process ended. */
  end(signal?: NodeJS.Signals): Promise<number>
}

const readyWithinMs = 60_000

export async function prepareWebProcess(leaveMs: number): Promise<WebUnderTest & { setEnv(env: Record<string, string>): void }> {
  const port = await anyFreePort()
  const url = `http://127.0.0.1:${port}`
  const args = [path.join(root, 'server/embedded/web/main.ts'), '--port', String(port), '--leave-ms', String(leaveMs)]
  let child: ChildProcess | null = null
  let env: Record<string, string> = {}
  let callOff = () => {}
  return {
    url,
    setEnv(given) {
      env = given
    },
    async start() {
      child = spawn(process.execPath, args, {
        cwd: root,
        env: { ...process.env, ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      callOff = endWithParent(child.pid ?? 0, 'KILL')
      const isUp = () =>
        fetch(`${url}/api/health`).then(
          (response) => response.ok,
          () => false,
        )
      if (!(await until(isUp, readyWithinMs))) throw new Error('a web did not start')
    },
    async end(signal = 'SIGTERM') {
      const dying = child
      child = null
      callOff()
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return 0
      const from = performance.now()
      const gone = once(dying, 'exit')
      dying.kill(signal)
      await gone
      return performance.now() - from
    },
  }
}
