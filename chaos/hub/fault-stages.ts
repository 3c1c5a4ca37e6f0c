/** One fault, which ends or is repaired before the next one. */
export type Fault =
  /** `kill -9` of the hub, followed by a restart. */
  | 'kill'
  /** All processes of PostgreSQL are killed. */
  | 'crash'
  /** PostgreSQL is lost permanently, and a standby takes over; once in a run. */
  | 'fail over'
  /** The hub is suspended for five seconds. */
  | 'stop'
  /** The hub's clock jumps one hour forward or back. */
  | 'ahead'
  | 'behind'
  /** Writes and syncs on PostgreSQL's disk fail for three seconds; then PostgreSQL crashes. */
  | 'full'
  | 'unsynced'
  /** The newest message of each of twenty rooms is damaged while no agent is connected. Then all agents reconnect. */
  | 'poison'
  /** For 45 s nothing is killed, while some readers of busy rooms read nothing: the hub must disconnect them. */
  | 'rest'

export type Stage = {
  readonly rooms: number
  readonly members: number
  /** Messages per second, over all agents. */
  readonly rate: number
  readonly ms: number
  /** In this order, evenly distributed over the run. */
  readonly faults: readonly Fault[]
  /** The share of sockets that are cut in each quarter of a second. */
  readonly resets: number
  /** The share of messages that are sent twice. */
  readonly duplicates: number
  /** Connections that stall for 1.5 s, in each half second. */
  readonly stalls: number
  /** Connections that stay open and silent while their agent reconnects by another one, over the whole run. */
  readonly abandonedConnections: number
  /** Readers that read one piece in five seconds, and readers that read nothing during a rest. Their rooms are busy. */
  readonly slow: number
  readonly paused: number
  /** Bytes of a message's text, and of one in the rooms of those readers. */
  readonly bytes: number
  readonly largeMessageBytes: number
  /** The time limit after the faults until all readers are at the head. */
  readonly drainMs: number
  /** The minimum number of reconnects per agent for a valid run. */
  readonly reconnects: number
  /** The latency limit of deliveries without a fault; null: not checked. */
  readonly p99Ms: number | null
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

/** Two kills and a crash of the database: the smoke test of every commit. */
const smoke: Stage = {
  rooms: 10,
  members: 6,
  rate: 100,
  ms: 20_000,
  faults: ['kill', 'kill', 'crash'],
  resets: 0.01,
  duplicates: 0.05,
  stalls: 0,
  abandonedConnections: 0,
  slow: 0,
  paused: 0,
  bytes: 0,
  largeMessageBytes: 0,
  drainMs: 60_000,
  reconnects: 1,
  p99Ms: null,
}
/** Short settings for every test run. */
export const shortStageA: Stage = { ...smoke, rooms: 4, rate: 60, ms: 9_000, faults: ['kill', 'crash'], drainMs: 120_000 }

const standard: Stage = {
  ...smoke,
  rooms: 40,
  rate: 300,
  ms: 60_000,
  faults: [...times(5, 'kill' as const), 'crash', ...times(4, 'kill' as const)],
  stalls: 4,
  abandonedConnections: 20,
  drainMs: 10_000,
  reconnects: 5,
  p99Ms: 500,
}

const kills = times(8, 'kill' as const)
const peak: Stage = {
  ...standard,
  rooms: 100,
  rate: 400,
  // A kill ends all connections, so between two kills no reader would be slow long enough to be disconnected.
  faults: [...kills, 'rest', ...kills, 'rest', ...kills],
  slow: 10,
  paused: 5,
  largeMessageBytes: 30_000,
  p99Ms: null,
}
const calm = { ...standard, resets: 0, stalls: 0, abandonedConnections: 0, p99Ms: null }

export const stages: { readonly [name: string]: Stage } = {
  A: smoke,
  B: standard,
  C: { ...peak, ms: 300_000 },
  D: { ...standard, rate: 1_200, p99Ms: null },
  E: { ...calm, rooms: 100, rate: 50, faults: ['kill'], reconnects: 1 },
  F: {
    ...standard,
    rooms: 20,
    rate: 200,
    ms: 120_000,
    faults: ['stop', 'ahead', 'full', 'behind', 'stop', 'unsynced', 'kill', 'behind', 'full', 'ahead', 'unsynced', 'poison', 'fail over'],
    reconnects: 3,
    p99Ms: null,
  },
  H: { ...standard, rooms: 20, rate: 100, ms: 3_600_000, faults: times(59, 'kill' as const), stalls: 0, resets: 0.001, p99Ms: null },
}

/** The time in which a stopped reader's socket fills and the hub disconnects it after 30 s, with a margin to detect that. */
export const restMs = 45_000

/** The start of each fault in milliseconds, evenly distributed over the run without its rests. */
export function timesOf({ ms, faults }: Pick<Stage, 'ms' | 'faults'>): number[] {
  const rests = faults.filter((fault) => fault === 'rest').length
  const between = Math.max(0, ms - rests * restMs) / (faults.length + 1)
  let rested = 0
  return faults.map((fault, index) => {
    const begins = between * (index + 1) + rested
    if (fault === 'rest') rested += restMs
    return begins
  })
}

/** The same stage with another duration in minutes and the same rate of faults. */
export function inMinutes(stage: Stage, minutes: number): Stage {
  const ms = minutes * 60_000
  return { ...stage, ms, faults: stage.faults.slice(0, Math.max(1, Math.round((stage.faults.length * ms) / stage.ms))) }
}
