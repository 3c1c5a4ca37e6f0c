import { describe, expect, it } from 'vitest'
import { inMinutes, restMs, type Stage, stages, timesOf } from '../../../chaos/hub/fault-stages.ts'
import { missedBy, type Outcome } from '../../../chaos/hub/run-hub-fault-stage.ts'

const stage: Stage = { ...(stages.B as Stage), faults: ['kill', 'crash', 'kill'], paused: 1, ms: 600_000 }
const none = {
  lost_acked: 0,
  dup_in_log: 0,
  seq_gaps: 0,
  ack_diverge: 0,
  sender_fifo: 0,
  recv_missing: 0,
  recv_dup: 0,
  recv_reorder: 0,
  recv_gap: 0,
}
const good: Outcome = {
  faults: none,
  sent: 100,
  acked: 100,
  done: { kill: 2, crash: 1 },
  reconnects: stage.reconnects * stage.rooms * stage.members,
  resends: 1,
  duplicates: 1,
  refused: 0,
  too_slow: 1,
  placeholders: 0,
  quiet_ms: 10,
  p50_ms: 1,
  p99_ms: 500,
  hub_mb: 512,
  hub_mb_per_minute: 1,
  hub_files: 100,
}

describe('a run', () => {
  it('passes where nothing was broken and all that was planned has happened', () => {
    expect(missedBy(stage, good)).toEqual([])
  })

  it.each<[string, Partial<Outcome>]>([
    ['void: kill 1 of 2 times', { done: { kill: 1, crash: 1 } }],
    ['void: crash 0 of 1 times', { done: { kill: 2 } }],
    ['void: nothing was sent again', { resends: 0 }],
    ['void: nothing was sent twice', { duplicates: 0 }],
    ['void: 1199 new connections of 1200', { reconnects: 1_199 }],
    ['void: no reader was too slow', { too_slow: 0 }],
    ['a promise was broken', { faults: { ...none, recv_gap: 1 } }],
    ['2 messages were refused', { refused: 2 }],
    ['not quiet after 10000 ms', { quiet_ms: null }],
    ['p99 501 ms of 500', { p99_ms: 501 }],
    ['p99 null ms of 500', { p99_ms: null }],
    ['the hub took 513 MB of 512', { hub_mb: 513 }],
    ['the hub grew by 1.5 MB a minute', { hub_mb_per_minute: 1.5 }],
  ])('does not pass: %s', (why, change) => {
    expect(missedBy(stage, { ...good, ...change })).toEqual([why])
  })

  it('does not pass where a damaged message was met by no one', () => {
    const poisoned: Stage = { ...stage, faults: ['poison'] }
    expect(missedBy(poisoned, { ...good, done: { poison: 1 } })).toEqual(['void: no agent received a damaged message'])
    expect(missedBy(poisoned, { ...good, done: { poison: 1 }, placeholders: 1 })).toEqual([])
  })

  it('has its faults evenly spread, and nothing within a rest', () => {
    expect(timesOf({ ms: 40_000, faults: ['kill', 'crash', 'kill'] })).toEqual([10_000, 20_000, 30_000])
    const ms = 30_000 + restMs
    expect(timesOf({ ms, faults: ['kill', 'rest'] })).toEqual([10_000, 20_000])
    expect(timesOf({ ms, faults: ['rest', 'kill'] })).toEqual([10_000, 20_000 + restMs])
  })

  it.each(Object.entries(stages))('of stage %s leaves readers that take nothing the time to be given up', (_, { slow, paused, faults }) => {
    expect(paused === 0 || faults.includes('rest')).toBe(true)
    expect(slow === 0 || paused > 0).toBe(true)
  })

  it('of another length has as many faults a minute', () => {
    const soak = stages.H as Stage
    expect(inMinutes(soak, 10).faults).toHaveLength(10)
    expect(inMinutes(soak, 10).ms).toBe(600_000)
  })
})
