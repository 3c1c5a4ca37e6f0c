import type { Costs } from '../hub/measured-hub-costs.ts'

/** One of the projections of the article that docs/capacity.md cites. `articleExabytes`: per month, as in the article. */
export type Scenario = { readonly year: number; readonly users: number; readonly exchangesPerDay: number; readonly articleExabytes: string }

export const scenarios: readonly Scenario[] = [
  { year: 2025, users: 200e6, exchangesPerDay: 10, articleExabytes: 'roughly 0.5' },
  { year: 2028, users: 1e9, exchangesPerDay: 100, articleExabytes: 'about 22' },
  { year: 2032, users: 2e9, exchangesPerDay: 1_000, articleExabytes: 'well above 400' },
]

/** Bytes of an exchange, request and answer together, as the article has measured it. */
export const exchangeBytes = 7_600

/** Assumptions without a measurement. */
export const assumed = {
  /** A room of the asking and the answering agent. */
  members: 2,
  /** The ratio of the busiest hour to the average. */
  peak: 3,
  /** The utilization at which a part counts as full: the rest is a reserve for bursts. */
  fill: 0.6,
  /** The share of users with a connected agent at the same time. */
  online: 0.3,
  /** Connections of one hub: what `bench:hub -- --full` connects. */
  connectionsPerHub: 10_000,
  /** Seconds between the heartbeats of an agent that a hub stores. */
  presenceSeconds: 15,
  /** The cores of a server that only PostgreSQL uses. */
  databaseCores: 32,
  daysPerMonth: 30,
  /** Dollars: a core for a month, a gigabyte on disk for a month, a gigabyte sent. Orders of magnitude of public price lists. */
  coreMonth: 25,
  gigabyteMonth: 0.08,
  gigabyteSent: 0.01,
} as const
export type Assumed = { readonly [name in keyof typeof assumed]: number }

export type Capacity = {
  /** Messages per second, on average and in the busiest hour. */
  readonly mean: number
  readonly peak: number
  /** Petabytes a month: of text alone, by the article's own inputs; on our agents' sockets; and there, compressed. */
  readonly text: number
  readonly wire: number
  readonly compressed: number
  /** Hubs that the messages need, and that the connections need; signatures of agents included. */
  readonly hubsForTalk: number
  readonly hubsForConnections: number
  readonly hubs: number
  readonly databaseCores: number
  readonly databaseServers: number
  /** Heartbeats per second, in the same databases. */
  readonly presence: number
  /** Petabytes that a year of messages takes on disk, and gigabytes of WAL a second in the busiest hour. */
  readonly disk: number
  readonly wal: number
  /** Million dollars a month: cores, a year's messages on disk, what is sent. */
  readonly compute: number
  readonly storage: number
  readonly sending: number
  readonly first: 'connections' | 'talk'
}

const secondsPerDay = 86_400
const kilobyte = 1_024

/** Microseconds of one hub's thread for a message of so many bytes of text in a room of so many, signed by its sender. */
export function hubMicroseconds({ hub_us }: Costs, bytes: number, members: number, isSigned = true): number {
  return hub_us.message + members * hub_us.delivery + hub_us.kilobyte * moreThanOne(bytes) + (isSigned ? hub_us.signature : 0)
}

export function postgresMicroseconds({ postgres_us }: Costs, bytes: number): number {
  return postgres_us.message + postgres_us.kilobyte * moreThanOne(bytes)
}

/** Bytes on disk of a message, by a line through the two that were measured. */
export function rowBytes({ bytes }: Costs, text: number): number {
  return bytes.row + ((bytes.row_7600 - bytes.row) / (7_600 - kilobyte)) * (text - kilobyte)
}

/** Bytes on all sockets that a message takes: once in, to every member out, acks. */
export function wireBytes({ bytes }: Costs, text: number, members: number): number {
  const more = text - kilobyte
  return bytes.post + more + members * (bytes.deliver + more + bytes.ack)
}

const moreThanOne = (bytes: number) => (bytes - kilobyte) / kilobyte

export function capacityOf(scenario: Scenario, costs: Costs, by: Assumed = assumed): Capacity {
  const text = exchangeBytes / 2
  const perDay = scenario.users * scenario.exchangesPerDay * 2
  const mean = perDay / secondsPerDay
  const peak = mean * by.peak
  const perMonth = perDay * by.daysPerMonth
  const wire = perMonth * wireBytes(costs, text, by.members)
  const connected = scenario.users * by.online
  const hubsForTalk = Math.ceil((peak * hubMicroseconds(costs, text, by.members)) / 1e6 / by.fill)
  const hubsForConnections = Math.ceil(connected / by.connectionsPerHub)
  const hubs = Math.max(hubsForTalk, hubsForConnections)
  const databaseCores = Math.ceil((peak * postgresMicroseconds(costs, text)) / 1e6 / by.fill)
  const disk = (perDay * 365 * rowBytes(costs, text)) / 1e15
  const sent = perMonth * by.members * (costs.bytes.deliver + text - kilobyte) * costs.compressed
  return {
    mean,
    peak,
    text: (perMonth * text) / 1e15,
    wire: wire / 1e15,
    compressed: (wire * costs.compressed) / 1e15,
    hubsForTalk,
    hubsForConnections,
    hubs,
    databaseCores,
    databaseServers: Math.ceil(databaseCores / by.databaseCores),
    presence: connected / by.presenceSeconds,
    disk,
    wal: (peak * (costs.bytes.wal + text - kilobyte)) / 1e9,
    compute: ((hubs + databaseCores) * by.coreMonth) / 1e6,
    storage: (disk * 1e6 * by.gigabyteMonth) / 1e6,
    sending: ((sent / 1e9) * by.gigabyteSent) / 1e6,
    first: hubsForConnections > hubsForTalk ? 'connections' : 'talk',
  }
}

/** One hub with its own database: its bottlenecks. Messages per second, seconds, gigabytes. */
export function oneHub(costs: Costs, by: Assumed = assumed) {
  const limit = (bytes: number, members: number, isSigned: boolean) => 1e6 / hubMicroseconds(costs, bytes, members, isSigned)
  return {
    small: limit(kilobyte, 8, false),
    signed: limit(kilobyte, 8, true),
    large: limit(exchangeBytes, 8, false),
    /** PostgreSQL's throughput with one core. */
    database: 1e6 / postgresMicroseconds(costs, kilobyte),
    /** The time until all agents of a hub have reconnected after a crash. */
    stormSeconds: (by.connectionsPerHub * costs.hub_us.hello) / 1e6,
    /** Hubs at their limit that one core of PostgreSQL writes for. */
    hubsPerCore: hubMicroseconds(costs, kilobyte, 8, false) / postgresMicroseconds(costs, kilobyte),
    diskPerDay: (1_000 * secondsPerDay * rowBytes(costs, kilobyte)) / 1e9,
  }
}
