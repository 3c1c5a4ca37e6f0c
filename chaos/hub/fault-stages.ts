/** One thing that goes wrong, and is well again, or set right, before the next. */
export type Fault =
  /** `kill -9` of the hub, which is started again. */
  | 'kill'
  /** PostgreSQL dies with all its processes. */
  | 'crash'
  /** PostgreSQL is lost for good, and another that followed it takes its place; once in a run. */
  | 'fail over'
  /** The hub stands still for five seconds. */
  | 'stop'
  /** The hub's clock goes an hour forward, or an hour back. */
  | 'ahead'
  | 'behind'
  /** Nothing more can be written to PostgreSQL's disk, or synced on it, for three seconds; then PostgreSQL dies. */
  | 'full'
  | 'unsynced'
  /** The newest message of each of twenty rooms is damaged while nobody reads, and everybody comes back for it. */
  | 'poison'
  /** For 45 s nothing dies, while some readers take nothing of what their loud rooms say: the hub has to give them up. */
  | 'rest'

export type Stage = {
  readonly rooms: number
  readonly members: number
  /** Messages a second over all. */
  readonly rate: number
  readonly ms: number
  /** In this order, spread evenly over the run. */
  readonly faults: readonly Fault[]
  /** Of the sockets, how many are cut in a quarter of a second. */
  readonly resets: number
  /** Of the messages, how many are sent twice. */
  readonly duplicates: number
  /** Connections that are held up for a second and a half, each half second. */
  readonly stalls: number
  /** Connections that are left open and silent while their agent comes back by another, over the whole run. */
  readonly vanishes: number
  /** Readers that take one piece in five seconds, and readers that take nothing while there is a rest. Their rooms are loud. */
  readonly slow: number
  readonly paused: number
  /** Bytes of a message's text, and in the rooms of those readers. */
  readonly bytes: number
  readonly loudBytes: number
  /** After the faults everybody has to be at the head within this time, or nobody waits any longer. */
  readonly drainMs: number
  /** Without so many new connections for each agent the run shows nothing. */
  readonly reconnects: number
  /** Of deliveries while nothing was wrong; null where it is not asked. */
  readonly p99Ms: number | null
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

/** Two kills and a crash of the database: the smoke that every commit has to stand. */
const smoke: Stage = {
  rooms: 10,
  members: 6,
  rate: 100,
  ms: 20_000,
  faults: ['kill', 'kill', 'crash'],
  resets: 0.01,
  duplicates: 0.05,
  stalls: 0,
  vanishes: 0,
  slow: 0,
  paused: 0,
  bytes: 0,
  loudBytes: 0,
  drainMs: 60_000,
  reconnects: 1,
  p99Ms: null,
}
/** The same, short enough for every run of the tests. */
export const shortStageA: Stage = { ...smoke, rooms: 4, rate: 60, ms: 9_000, faults: ['kill', 'crash'], drainMs: 120_000 }

const standard: Stage = {
  ...smoke,
  rooms: 40,
  rate: 300,
  ms: 60_000,
  faults: [...times(5, 'kill' as const), 'crash', ...times(4, 'kill' as const)],
  stalls: 4,
  vanishes: 20,
  drainMs: 10_000,
  reconnects: 5,
  p99Ms: 500,
}

const kills = times(8, 'kill' as const)
const peak: Stage = {
  ...standard,
  rooms: 100,
  rate: 400,
  // A kill ends all connections: between two of them nobody could be slow for long enough to be given up.
  faults: [...kills, 'rest', ...kills, 'rest', ...kills],
  slow: 10,
  paused: 5,
  loudBytes: 30_000,
  p99Ms: null,
}
const calm = { ...standard, resets: 0, stalls: 0, vanishes: 0, p99Ms: null }

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

/** What fills the socket of a reader that takes nothing, the thirty seconds after which it is given up, and time to hear of it. */
export const restMs = 45_000

/** When each fault begins, in milliseconds of the run: evenly over what its rests leave of it. */
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

/** The same stage in so many minutes, with as many faults a minute. */
export function inMinutes(stage: Stage, minutes: number): Stage {
  const ms = minutes * 60_000
  return { ...stage, ms, faults: stage.faults.slice(0, Math.max(1, Math.round((stage.faults.length * ms) / stage.ms))) }
}
