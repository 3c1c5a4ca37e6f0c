import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureNats, natsReady, spawnNats } from '../../server/embedded/cluster/nats.ts'
import { endWithParent } from '../../server/embedded/processes/end-with-parent.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'

/** Why tests with NATS are skipped here; null if they run. */
export const natsMissing = ensureNats() === null ? 'there is no nats-server here, and none could be unpacked from Debian' : null

export type TestNats = AsyncDisposable & { readonly url: string; kill(): Promise<void>; start(): Promise<void> }

/** A NATS of the test's own, that can be killed and started again on the same port. */
export async function startNats(): Promise<TestNats> {
  const binary = ensureNats()
  if (binary === null) throw new Error(natsMissing ?? 'no nats-server')
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-nats-'))
  const port = await anyFreePort()
  let child: ChildProcess | null = null
  let callOff = () => {}
  async function start(): Promise<void> {
    child = spawnNats(binary ?? '', { port, dataDir, log: 'ignore' })
    callOff = endWithParent(child.pid ?? 0, 'KILL')
    await natsReady(port, child)
  }
  async function kill(): Promise<void> {
    const dying = child
    child = null
    callOff()
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
    const gone = new Promise((resolve) => dying.once('exit', resolve))
    dying.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
