import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { bareHub } from '../../test/support/bare-hub-environment.ts'

/** A hub in its own process, which a test can kill, stop and suspend. */
export type Node = {
  readonly url: string
  start(): Promise<void>
  /** Messages that other hubs have written for this one since its start. */
  handedOver(): Promise<number>
  signal(name: NodeJS.Signals): void
  /** Sends the signal, and resolves when the process has ended. */
  end(name: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export async function prepareHubs(count: number, databaseUrl: string, env: Record<string, string>): Promise<Node[]> {
  const common = bareHub(databaseUrl, env)
  return Promise.all(Array.from({ length: count }, async () => prepare({ ...common, HUB_PORT: String(await anyFreePort()) })))
}

function prepare(env: Record<string, string>): Node {
  let child: ChildProcess | null = null
  return {
    url: `http://127.0.0.1:${env.HUB_PORT}`,
    async start() {
      child = spawn(process.execPath, [path.join(import.meta.dirname, 'hub-process-main.ts')], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const started = child
      await Promise.race([once(started, 'message'), once(started, 'exit').then(() => Promise.reject(new Error('a hub did not start')))])
    },
    async handedOver() {
      const metrics = await (await fetch(`http://127.0.0.1:${env.HUB_PORT}/metrics`)).text()
      return Number(/^parley_hub_forwarded_messages_total (\d+)$/m.exec(metrics)?.[1] ?? 0)
    },
    signal: (name) => void child?.kill(name),
    async end(name) {
      const dying = child
      child = null
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
      const gone = once(dying, 'exit')
      dying.kill(name)
      await gone
    },
  }
}
