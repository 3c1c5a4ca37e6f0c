import { settlementPoints } from '../../server/ports.ts'
import { type FaultKind, faultKinds } from './fault-tally.ts'
import type { Profile } from './test-environment.ts'

/** Every kind is planned; those with a duration this often. */
function eachTimes(times: number): { [K in FaultKind]: number } {
  return Object.fromEntries(faultKinds.map((kind) => [kind, times])) as { [K in FaultKind]: number }
}

/** In production 10 rounds take 150 s. Rounds come fifteen times as fast here, and two workers make some of them in vain. */
const drainRounds = 200

/** Some seven minutes on two idle cores. Only a busy machine reaches the limits: what it missed until then makes the run void. */
export const wholeRunProfile: Omit<Profile, 'seed'> = {
  goals: 16,
  inFlight: 8,
  cardGoals: 3,
  channels: 2,
  rounds: 2,
  faults: eachTimes(2),
  points: settlementPoints,
  chaosMs: 270_000,
  limitMs: 1_200_000,
  drainMs: 150_000,
  drainRounds,
  maxDrainMs: 600_000,
}

/** A profile for one minute: every kind of fault once, and kills at five failpoints. */
export const shortRunProfile: Omit<Profile, 'seed'> = {
  goals: 4,
  inFlight: 4,
  cardGoals: 2,
  channels: 2,
  rounds: 1,
  faults: eachTimes(1),
  points: ['rail_chosen', 'signed', 'prepared', 'seen', 'range_recorded'],
  chaosMs: 20_000,
  // The run ends once each has happened: on two idle cores after about forty seconds.
  limitMs: 480_000,
  // Only a hang reaches it: a busy machine may take its time.
  drainMs: 150_000,
  drainRounds,
  maxDrainMs: 240_000,
}
