import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { memoryOf } from '../../bench/hub/start-process.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { bareHub } from '../../test/support/bare-hub-environment.ts'

/** The hub in its own process, with controls for faults. */
export type HubUnderTest = {
  readonly url: string
  readonly pid: () => number
  start(): Promise<void>
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Shifts its clock, until it is killed. */
  moveClock(ms: number): void
  /** Bytes in memory, and how many files it has open. */
  weight(): { readonly bytes: number; readonly files: number }
}

export async function startHubUnderTest(databaseUrl: string): Promise<HubUnderTest> {
  const port = await anyFreePort()
  const env = bareHub(databaseUrl, { HUB_PORT: String(port) })
  const here = import.meta.dirname
  const args = ['--import', path.join(here, '../../test/support/shift-clock.ts'), path.join(here, '../../bench/hub/hub-process-main.ts')]
  let child: ChildProcess | null = null
  const hub: HubUnderTest = {
    url: `ws://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    async start() {
      child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      await once(child, 'message')
    },
    async kill() {
      const dying = child
      child = null
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
      const gone = once(dying, 'exit')
      dying.kill('SIGKILL')
      await gone
    },
    signal: (name) => void child?.kill(name),
    moveClock: (ms) => void child?.send(ms),
    weight: () => ({ bytes: memoryOf(hub.pid()), files: filesOf(hub.pid()) }),
  }
  await hub.start()
  return hub
}

function filesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** A disk for PostgreSQL that fails on command. */
export type FaultyDisk = { readonly env: Record<string, string>; fail(how: 'full' | 'unsynced' | null): void; remove(): void }

/** @throws where there is no C compiler to build it with. */
export function buildFaultyDisk(): FaultyDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-disk-'))
  const library = path.join(folder, 'faulty-disk.so')
  const control = path.join(folder, 'fault')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, path.join(import.meta.dirname, 'faulty-disk.c'), '-ldl'])
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  return {
    env: { LD_PRELOAD: library, DISK_FAULT_FILE: control },
    fail: (how) => (how ? writeFileSync(control, how, { mode: 0o644 }) : rmSync(control, { force: true })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
