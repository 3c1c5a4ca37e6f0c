/** A Parley of the demo's own, started as `npm start` starts one: its own ports, and a folder that is gone afterwards. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { childEnvironment } from '../../server/embedded/install/child-environment.mjs'
import { reachableFolder } from '../../server/embedded/postgres/data-folder.ts'
import { nextFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { environment } from '../../server/env.ts'
import { paint, print } from './screen.ts'

export type DemoInstallation = {
  /** Resolves when it can be used; rejects when it did not start. */
  readonly ready: Promise<{ readonly webUrl: string; readonly rpcUrl: string }>
  /** Ends every process of it. The folder is kept where something is to be looked at. */
  stop(options: { keep: boolean }): Promise<void>
}

// Settings of a running market (its database, its chain, its keys) is none of the demo's.
const foreign = [
  ...Object.keys(environment.shape),
  'WEB_HOST',
  'WEB_URL',
  'PARLEY_HOME',
  'PUBLISHER_PRIVATE_KEY',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_MODEL',
]

export type Ports = { readonly web: number; readonly hub: number }

export async function findPorts(): Promise<Ports> {
  return { web: await nextFreePort(3_100), hub: await nextFreePort(4_100) }
}

/** `model`: variables that name the model which its principal may ask. */
export function startDemoInstallation(ports: Ports, model: { readonly [name: string]: string } = {}): DemoInstallation {
  const home = path.join(root, '.parley/demo', String(process.pid))
  fs.rmSync(home, { recursive: true, force: true })
  fs.mkdirSync(home, { recursive: true })
  // Outside of it, where PostgreSQL's user cannot walk down to this checkout.
  const database = reachableFolder(path.join(home, 'postgres/18'))
  const env = childEnvironment()
  for (const name of foreign) delete env[name]
  const child = spawn(process.execPath, [path.join(root, 'server/embedded/commands/start.ts'), `--home=${home}`], {
    cwd: root,
    env: { ...env, ...model, PORT: String(ports.web), HUB_PORT: String(ports.hub) },
    // A group of its own, so that a Ctrl-C is ours to pass on; over the channel it learns when we are gone, however.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const ready = new Promise<{ webUrl: string; rpcUrl: string }>((resolve, reject) => {
    let rpcUrl = ''
    let isUp = false
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const chainPort = /chain ready on port (\d+)/.exec(line)?.[1]
        if (chainPort) rpcUrl = `http://127.0.0.1:${chainPort}`
        if (!isUp || line.startsWith('  ')) print(paint('dim', line))
        if (!/^Parley is ready/.test(line)) return
        isUp = true
        resolve({ webUrl: `http://localhost:${ports.web}`, rpcUrl })
      })
    void ended.then(() => reject(new Error('Parley did not start; what it said is above.')))
  })
  return {
    ready,
    async stop({ keep }) {
      if (child.connected) child.disconnect()
      await ended
      if (keep) print(`Logs and data of this run are in ${path.relative(root, home)}.`)
      else for (const folder of [database, home]) fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
