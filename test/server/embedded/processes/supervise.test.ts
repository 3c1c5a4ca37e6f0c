import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { endStaleProcesses } from '../../../../server/embedded/commands/end-stale-processes.ts'
import { identityOf, readRecord } from '../../../../server/embedded/processes/process-records.ts'
import { type ProcessFolders, type Service, supervise } from '../../../../server/embedded/processes/supervise.ts'

let dir = ''
let processFolders: ProcessFolders
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'supervise-'))
  processFolders = { runDir: path.join(dir, 'run'), logsDir: path.join(dir, 'logs'), firstDelayMs: 20 }
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => {
    vi.restoreAllMocks()
    fs.rmSync(dir, { recursive: true })
  })
})

const pids: number[] = []
function service(script: string, extra: Partial<Service> = {}): Service {
  return {
    name: 'hub',
    spawn: (log) => {
      const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', log, log] })
      pids.push(child.pid ?? 0)
      return child
    },
    ready: async () => {
      await vi.waitFor(() => expect(fs.readFileSync(path.join(dir, 'logs/hub.log'), 'utf8')).toContain('up'), 90_000)
    },
    ...extra,
  }
}
const living = 'console.log("up"); setInterval(() => {}, 1000)'
const recorded = () => readRecord(path.join(dir, 'run/hub.json'))

describe('supervise', () => {
  it('states what a service printed that did not come up', async () => {
    const running = supervise(
      service('console.error("no such table"); process.exit(3)', { ready: () => new Promise(() => {}) }),
      processFolders,
    )
    await expect(running.ready).rejects.toThrow(/hub did not start: exit code 3.*no such table.*hub\.log/s)
    expect(recorded()).toBeNull()
  })

  it('starts a service again that ended, and records the new process', async () => {
    const running = supervise(service(living), processFolders)
    await running.ready
    const first = recorded()?.pid ?? 0
    process.kill(first, 'SIGKILL')
    await vi.waitFor(() => expect(recorded()?.pid ?? first).not.toBe(first), 90_000)
    await running.stop()
    expect(recorded()).toBeNull()
    expect(pids.map(identityOf)).toEqual(pids.map(() => null))
  })

  it('ends a service by force that does not listen, with what it has started', async () => {
    const deaf = `const { spawn } = require('node:child_process'); process.on('SIGTERM', () => {})
      const grandchild = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'])
      console.log('grandchild=' + grandchild.pid); ${living}`
    const running = supervise(service(deaf, { graceMs: 200 }), processFolders)
    await running.ready
    const grandchild = Number(/grandchild=(\d+)/.exec(fs.readFileSync(path.join(dir, 'logs/hub.log'), 'utf8'))?.[1])
    await running.stop()
    await vi.waitFor(() => expect(identityOf(grandchild)).toBeNull(), 90_000)
  })

  it('does not start a service again that was stopped', async () => {
    const running = supervise(service(living), processFolders)
    await running.ready
    const before = pids.length
    await running.stop()
    await new Promise((done) => setTimeout(done, 100))
    expect(pids.length).toBe(before)
  })
})

describe('endStaleProcesses', () => {
  it('ends what a killed start has recorded, and leaves alone what only has its id', async () => {
    const running = supervise(service(living), processFolders)
    await running.ready
    const stranger = spawn(process.execPath, ['-e', living], { stdio: 'ignore', detached: true })
    onTestFinished(() => void stranger.kill('SIGKILL'))
    // What supervises it is not asked here, as if it were gone: `kill` is how it learns not to start the service again.
    const { pid = 0 } = recorded() ?? {}
    fs.writeFileSync(path.join(dir, 'run/web.json'), JSON.stringify({ name: 'web', pid: stranger.pid, identity: 'an earlier boot/7' }))
    const ending = endStaleProcesses(path.join(dir, 'run'), path.join(dir, 'no-database'))
    expect(await ending).toEqual(['hub'])
    await running.stop()
    expect(identityOf(pid)).toBeNull()
    expect(identityOf(stranger.pid ?? 0)).not.toBeNull()
    expect(fs.existsSync(path.join(dir, 'run/web.json'))).toBe(false)
  })
})
