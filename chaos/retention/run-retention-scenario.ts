import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { composeServices } from '../../server/compose.ts'
import { archivePoints } from '../../server/delivery/archive/archive-messages.ts'
import { readEnvironment } from '../../server/env.ts'
import { bareHub } from '../../test/support/bare-hub-environment.ts'
import { checkArchivedRoom, checkArchiveFiles, type FoundFiles, type Place, postInAnyRoom } from './check-archived-rooms.ts'

export type RetentionOutcome = FoundFiles & {
  readonly messages: number
  /** Confirmed messages that cannot be read at their number; and messages that no one posted. */
  readonly lost: number
  readonly foreign: number
  /** Complete reads of all rooms in pages of random size, and those with a gap, a duplicate or a broken chain. */
  readonly readings: number
  readonly broken: number
  /** Reads that were refused with the advice to retry. */
  readonly put_off: number
  /** The number of kills, by step. */
  readonly kills: { readonly [place: string]: number }
}

const months = 18
const chanceKills = 8
const rooms = 3
const perMonth = 24
const dayMs = 86_400_000

/** The reasons why the run fails. Empty if nothing was lost and every step was tested. */
export function missedBy(out: RetentionOutcome): string[] {
  const missed = archivePoints.flatMap((point) => (out.kills[point] ? [] : [`void: no process was killed at "${point}"`]))
  if ((out.kills.chance ?? 0) < chanceKills) missed.push(`void: ${out.kills.chance ?? 0} of ${chanceKills} killed by chance`)
  if (out.halves === 0) missed.push('void: no file was left half written')
  if (out.files < months - 4) missed.push(`void: ${out.files} months are in files`)
  if (out.readings < 10) missed.push(`void: ${out.readings} readings`)
  for (const name of ['lost', 'foreign', 'broken', 'damaged', 'not_noted'] as const)
    if (out[name] > 0) missed.push(`${name.replace('_', ' ')}: ${out[name]}`)
  return missed
}

export async function runRetentionScenario(url: string, random: () => number, log: (line: string) => void): Promise<RetentionOutcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-retention-'))
  const env = bareHub(url, { MESSAGE_ARCHIVE_DIR: folder })
  const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) }
  const world = await composeServices('hub', readEnvironment(env), { clock })
  const ctx = world.contextFor({ kind: 'system', name: 'setup' })
  const posted = new Map<string, Place[]>()
  const kills: Record<string, number> = {}
  let [readings, broken, putOff, isOver] = [0, 0, 0, false]
  try {
    for (let month = 0; month < months; month++) {
      for (let index = 0; index < perMonth; index++)
        // Some senders' clocks are weeks behind, so their messages are in older tables than those before them.
        await postInAnyRoom(ctx, posted, { rooms, random, lateMs: index % 8 === 7 ? 40 * dayMs * random() : 0 })
      clock.ahead += 31 * dayMs
    }
    log(`${months} months, ${[...posted.values()].flat().length} messages in ${posted.size} rooms`)
    const reading = (async () => {
      while (!isOver) {
        for (const roomId of posted.keys()) {
          const read = await checkArchivedRoom(ctx, roomId, 1 + Math.floor(random() * 200))
          if (read === 'put off') putOff++
          else if (read === 'broken') broken++
          readings++
        }
        await postInAnyRoom(ctx, posted, { rooms, random, lateMs: 0 })
        await pause(2)
      }
    })()
    for (const point of [...archivePoints, ...Array.from({ length: chanceKills }, () => null)]) {
      const place = await killAt(point, { ...env, CLOCK_AHEAD_MS: String(clock.ahead) }, random)
      if (place !== null) kills[place] = (kills[place] ?? 0) + 1
      log(place === null ? 'had ended before it was killed' : point === null ? 'killed at a moment of chance' : `killed at "${place}"`)
    }
    await killAt('nowhere', { ...env, CLOCK_AHEAD_MS: String(clock.ahead) }, random)
    isOver = true
    await reading
    let [lost, foreign] = [0, 0]
    for (const [roomId, places] of posted) {
      const read = await checkArchivedRoom(ctx, roomId, 1_000)
      if (typeof read === 'string') broken++
      const ids = typeof read === 'string' ? [] : read
      lost += places.filter(({ id, seq }) => ids[seq - 1] !== id).length
      const known = new Set(places.map(({ id }) => id))
      foreign += ids.filter((id) => !known.has(id)).length
    }
    const messages = [...posted.values()].flat().length
    return { messages, lost, foreign, readings, broken, put_off: putOff, kills, ...(await checkArchiveFiles(ctx, folder)) }
  } finally {
    isOver = true
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs the archiving until it stops at `point`, or until a random time if that is null, and kills it there. Returns the step, or null
 * if it ended without a kill.
 */
async function killAt(point: string | null, env: Record<string, string>, random: () => number): Promise<string | null> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'archive-process-main.ts')], {
    env: { ...process.env, ...env, STOP_AT: point ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const place = await new Promise<string | null>((resolve) => {
    let isCounting = false
    child.once('exit', () => resolve(null))
    child.on('message', (progress: { point: string }) => {
      if (progress.point === point) resolve(point)
      if (point !== null || isCounting) return
      isCounting = true
      setTimeout(() => resolve('chance'), random() * 80)
    })
  })
  return place !== null && (await kill(child)) ? place : null
}

async function kill(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  const [, signal] = await gone
  return signal === 'SIGKILL'
}
