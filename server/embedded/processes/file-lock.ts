import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describeProcess, isSameProcess, type ProcessRecord, readRecord } from './process-records.ts'

export type Lock = { release: () => void }

/**
 * Acquires the lock, or returns its owner. A link creates the file with its content, so that it is never seen empty. A stale lock is
 * moved away first, which only one process can do.
 */
export function acquireFileLock(file: string): Lock | ProcessRecord {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const mine = `${file}.${process.pid}`
  fs.writeFileSync(mine, JSON.stringify(describeProcess('npm start', process.pid)))
  try {
    for (;;) {
      try {
        fs.linkSync(mine, file)
        return { release: () => fs.rmSync(file, { force: true }) }
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error
      }
      const owner = readRecord(file)
      if (owner && isSameProcess(owner)) return owner
      moveAway(file, owner)
    }
  } finally {
    fs.rmSync(mine, { force: true })
  }
}

/** Acquires the lock when its owner has released it. */
export async function waitForFileLock(file: string): Promise<Disposable> {
  for (;;) {
    const taken = acquireFileLock(file)
    if ('release' in taken) return { [Symbol.dispose]: taken.release }
    await setTimeout(250)
  }
}

function moveAway(file: string, stale: ProcessRecord | null): void {
  const away = `${file}.stale-${process.pid}`
  try {
    fs.renameSync(file, away)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  // Another process may have acquired the lock in between. Then this restores it.
  const moved = readRecord(away)
  if (moved && (moved.pid !== stale?.pid || moved.identity !== stale.identity) && isSameProcess(moved)) {
    try {
      fs.linkSync(away, file)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  }
  fs.rmSync(away, { force: true })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
