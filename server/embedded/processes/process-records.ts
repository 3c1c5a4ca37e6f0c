import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { childEnvironment } from '../install/child-environment.mjs'

/** A recorded process. Its id alone could later belong to another process. */
export type ProcessRecord = { name: string; pid: number; identity: string }

/** The start time of the process and the boot of the machine; null if it does not run or the system does not say. */
export function identityOf(pid: number): string | null {
  if (process.platform === 'win32') return null
  if (process.platform === 'linux') return linuxIdentity(pid)
  const ps = spawnSync('/bin/ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8', env: childEnvironment({ LC_ALL: 'C' }) })
  const line = ps.stdout.trim()
  return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '')
}

function linuxIdentity(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name is in parentheses, and may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return null
  }
}

export function isSameProcess(record: ProcessRecord): boolean {
  return record.identity !== '' && identityOf(record.pid) === record.identity
}

export function describeProcess(name: string, pid: number): ProcessRecord {
  return { name, pid, identity: identityOf(pid) ?? '' }
}

export function writeRecord(dir: string, name: string, pid: number): ProcessRecord {
  const record = describeProcess(name, pid)
  fs.mkdirSync(dir, { recursive: true })
  fs.writeFileSync(path.join(dir, `${name}.json`), JSON.stringify(record))
  return record
}

export function forgetRecord(dir: string, name: string): void {
  fs.rmSync(path.join(dir, `${name}.json`), { force: true })
}

export function readRecord(file: string): ProcessRecord | null {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('identity' in value) || !('name' in value)) return null
    const { name, pid, identity } = value
    return typeof pid === 'number' && typeof identity === 'string' && typeof name === 'string' ? { name, pid, identity } : null
  } catch {
    return null
  }
}

/** Signals the group of a process, even if its leader is gone. False if there is none. */
export function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  return leader > 1 && process.platform !== 'win32' && attempt(-leader, name)
}

/** Signals a process and its group. False if none is left. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  return signalGroup(pid, name) || (pid > 1 && attempt(pid, name))
}

function attempt(target: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(target, name)
    return true
  } catch {
    return false
  }
}

/** Ends a recorded process after its identity was verified: with a signal, and by force after `graceMs`. */
export async function endRecorded(record: ProcessRecord, politely: NodeJS.Signals = 'SIGTERM', graceMs = 5_000): Promise<boolean> {
  if (!isSameProcess(record)) return false
  signal(record.pid, politely)
  const deadline = Date.now() + graceMs
  while (isSameProcess(record)) {
    if (Date.now() > deadline) signal(record.pid, 'SIGKILL')
    await new Promise((done) => setTimeout(done, 25))
  }
  return true
}
