import type { Costs } from '../../bench/hub/measured-hub-costs.ts'
import { createDeliveryCheck, type DeliveryCheck, type Recorder } from './check-delivery.ts'
import { createEventQueue, type EventQueue } from './event-queue.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { layOutHubMesh, type Mesh, type MeshShape } from './hub-mesh.ts'
import { type Dice, seededRandom } from './seeded-random.ts'

/** Bugs of the hubs, to see that the check finds them. */
export const bugs = ['none', 'no dedupe', 'ack before commit', 'push without cursor', 'two numberers'] as const
export type Bug = (typeof bugs)[number]

/** The load, and the faults during the load. Rates are per agent and second. */
export type LoadAndFaults = {
  readonly seconds: number
  readonly talk: number
  /** Sockets that fail, agents that disconnect for a while, and seats that are released or taken. */
  readonly cuts: number
  readonly leaves: number
  readonly moves: number
  /** The share of hubs that crash once, and the share of links between hubs that break. */
  readonly crashes: number
  readonly splits: number
  /** The share of messages that are sent twice. */
  readonly duplicates: number
}
export type Setting = {
  readonly shape: MeshShape
  readonly weather: LoadAndFaults
  readonly costs: Costs
  readonly seed: number
  readonly bug: Bug
  /** Capacity in messages. */
  readonly messages: number
  readonly recorder?: Recorder
}

/** Kinds of events. Their handlers document the numbers. */
export const kinds = {
  say: 0,
  receiveAtSenderHub: 1,
  validateMessage: 2,
  finishWrite: 3,
  live: 4,
  page: 5,
  receiveAck: 6,
  receiveAtOwnerHub: 7,
  receiveOwnersAck: 8,
  receiveAtMirror: 9,
  mirrorPage: 10,
  cutSocket: 11,
  connect: 12,
  welcome: 13,
  hubDown: 14,
  hubUp: 15,
  linkDown: 16,
  linkUp: 17,
  moveSeat: 18,
  fromLog: 19,
  hello: 20,
  proveKey: 21,
  fetchPage: 22,
  receiveFetchedPage: 23,
} as const

/** An agent is disconnected, connecting or authenticated. */
export const away = 0
export const connecting = 1
export const welcomed = 2

/** All mutable state. Hubs, agents, seats, mirrors and messages are indexes into typed arrays. */
export type SimulationState = {
  readonly mesh: Mesh
  readonly weather: LoadAndFaults
  readonly costs: Costs
  readonly bug: Bug
  readonly dice: Dice
  readonly queue: EventQueue
  readonly judge: DeliveryCheck
  now: number
  isTalking: boolean
  readonly agent: { state: Uint8Array; line: Int32Array; tries: Uint8Array; open: Uint8Array; upFree: Float64Array; downFree: Float64Array }
  /**
   * `run` ends the current deliveries to a seat. `after`: what its hub has sent; `seen`: what it has received; `acked`: the acks that
   * its hub has.
   */
  readonly seat: {
    active: Uint8Array
    run: Int32Array
    after: Int32Array
    isReading: Uint8Array
    isWoken: Uint8Array
    seen: Int32Array
    acked: Int32Array
    firstOpen: Int32Array
    lastOwn: Int32Array
  }
  readonly message: {
    count: number
    seat: Int32Array
    seq: Int32Array
    ackedAs: Int32Array
    nextOwn: Int32Array
    decidedAt: Float64Array
    arrivedAt: Float64Array
  }
  /** Messages of each room by position, as its owner has them. */
  readonly logs: number[][]
  readonly hub: {
    isUp: Uint8Array
    epoch: Int32Array
    free: Float64Array
    helloFree: Float64Array
    lastDone: Float64Array
    busy: Float64Array
    dbFree: Float64Array
    dbBusy: Float64Array
    diskBusy: Float64Array
    queue: number[][]
    writing: number[][]
    longest: Int32Array
    downAt: Float64Array
    missing: Int32Array
  }
  /** `base`: its log begins after that. `sent`: what the owner has sent to it. `out`: unacked messages of its seats. */
  readonly mirror: {
    epoch: Int32Array
    base: Int32Array
    log: number[][]
    sent: Int32Array
    isReading: Uint8Array
    isWoken: Uint8Array
    out: number[][]
  }
  readonly linkFree: Float64Array
  readonly linkDown: Uint8Array
  /** Milliseconds: from send to receipt, pushed or read from the log; and within the owner, from arrival to delivery. */
  readonly receivedAt: Histogram
  readonly caughtUp: Histogram
  readonly within: Histogram
  readonly sum: {
    bytesUp: number
    bytesDown: number
    bytesBetween: number
    live: number
    fromLog: number
    cuts: number
    moves: number
    resends: number
    stormMs: number
    stormAgents: number
    events: number
  }
}

export function createSimulationState(setting: Setting): SimulationState {
  const dice = seededRandom(setting.seed)
  const mesh = layOutHubMesh(setting.shape, dice)
  const { agents, hubs, seats, mirrors, rooms } = mesh
  const size = setting.messages
  const lists = (count: number) => Array.from({ length: count }, (): number[] => [])
  return {
    mesh,
    weather: setting.weather,
    costs: setting.costs,
    bug: setting.bug,
    dice,
    queue: createEventQueue(4_096),
    judge: createDeliveryCheck(mesh, size, setting.recorder),
    now: 0,
    isTalking: true,
    agent: {
      state: new Uint8Array(agents).fill(welcomed),
      line: new Int32Array(agents),
      tries: new Uint8Array(agents),
      open: new Uint8Array(agents),
      upFree: new Float64Array(agents),
      downFree: new Float64Array(agents),
    },
    seat: {
      active: new Uint8Array(seats),
      run: new Int32Array(seats),
      after: new Int32Array(seats),
      isReading: new Uint8Array(seats),
      isWoken: new Uint8Array(seats),
      seen: new Int32Array(seats),
      acked: new Int32Array(seats),
      firstOpen: new Int32Array(seats).fill(-1),
      lastOwn: new Int32Array(seats).fill(-1),
    },
    message: {
      count: 0,
      seat: new Int32Array(size),
      seq: new Int32Array(size),
      ackedAs: new Int32Array(size),
      nextOwn: new Int32Array(size).fill(-1),
      decidedAt: new Float64Array(size),
      arrivedAt: new Float64Array(size),
    },
    logs: lists(rooms),
    hub: {
      isUp: new Uint8Array(hubs).fill(1),
      epoch: new Int32Array(hubs),
      free: new Float64Array(hubs),
      helloFree: new Float64Array(hubs),
      lastDone: new Float64Array(hubs),
      busy: new Float64Array(hubs),
      dbFree: new Float64Array(hubs),
      dbBusy: new Float64Array(hubs),
      diskBusy: new Float64Array(hubs),
      queue: lists(hubs),
      writing: lists(hubs),
      longest: new Int32Array(hubs),
      downAt: new Float64Array(hubs),
      missing: new Int32Array(hubs),
    },
    mirror: {
      epoch: new Int32Array(mirrors),
      base: new Int32Array(mirrors),
      log: lists(mirrors),
      sent: new Int32Array(mirrors),
      isReading: new Uint8Array(mirrors),
      isWoken: new Uint8Array(mirrors),
      out: lists(mirrors),
    },
    linkFree: new Float64Array(hubs * hubs),
    linkDown: new Uint8Array(hubs * hubs),
    receivedAt: createHistogram(),
    caughtUp: createHistogram(),
    within: createHistogram(),
    sum: {
      bytesUp: 0,
      bytesDown: 0,
      bytesBetween: 0,
      live: 0,
      fromLog: 0,
      cuts: 0,
      moves: 0,
      resends: 0,
      stormMs: 0,
      stormAgents: 0,
      events: 0,
    },
  }
}

/**
 * When the hub's single thread finishes this much new work. It alternates between messages and hellos; a hello has many small parts
 * between its database queries. If both wait, each gets half.
 */
export function scheduleHubWork(w: SimulationState, hub: number, us: number): number {
  const isShared = (w.hub.helloFree[hub] as number) > w.now
  const end = Math.max(w.now, w.hub.free[hub] as number) + (us / 1_000) * (isShared ? 2 : 1)
  w.hub.free[hub] = end
  w.hub.busy[hub] = (w.hub.busy[hub] as number) + us / 1_000
  // The order is first in, first out.
  const done = Math.max(w.hub.lastDone[hub] as number, isShared ? end + turnMs * w.dice.roll() : end)
  w.hub.lastDone[hub] = done
  return done
}
/** The parts of hellos that are done in one turn: one per database connection. */
const turnMs = 5

export function scheduleHelloWork(w: SimulationState, hub: number, us: number): number {
  const isShared = (w.hub.free[hub] as number) > w.now
  const end = Math.max(w.now, w.hub.helloFree[hub] as number) + (us / 1_000) * (isShared ? 2 : 1)
  w.hub.helloFree[hub] = end
  w.hub.busy[hub] = (w.hub.busy[hub] as number) + us / 1_000
  return end
}

/** The same for its database, which has this many cores. */
const databaseCores = 2
export function scheduleDatabaseWork(w: SimulationState, hub: number, us: number): number {
  const ms = us / 1_000
  const begin = Math.max(w.now, w.hub.dbFree[hub] as number)
  w.hub.dbFree[hub] = begin + ms / databaseCores
  w.hub.dbBusy[hub] = (w.hub.dbBusy[hub] as number) + ms / databaseCores
  return begin + ms
}

/** The latency of a network path: a minimum, and sometimes more. */
const spread = 0.15
function over(w: SimulationState, ms: number): number {
  return ms * (1 + w.dice.wait(spread))
}

/** When bytes that are sent now, or at `from`, arrive: after all earlier bytes of the same link. */
export function arrivalAtHub(w: SimulationState, agent: number, bytes: number): number {
  const at = Math.max(w.agent.upFree[agent] as number, w.now + over(w, w.mesh.agentAway[agent] as number))
  w.agent.upFree[agent] = at
  w.sum.bytesUp += bytes
  return at
}
export function arrivalAtAgent(w: SimulationState, agent: number, from: number, bytes: number): number {
  const at = Math.max(w.agent.downFree[agent] as number, from + over(w, w.mesh.agentAway[agent] as number))
  w.agent.downFree[agent] = at
  w.sum.bytesDown += bytes
  return at
}
export function arrivalBetweenHubs(w: SimulationState, here: number, there: number, from: number, bytes: number): number {
  const way = here * w.mesh.hubs + there
  const at = Math.max(w.linkFree[way] as number, from + over(w, w.mesh.hubAway[way] as number))
  w.linkFree[way] = at
  w.sum.bytesBetween += bytes
  return at
}

export function roomOfSeat(w: SimulationState, seat: number): number {
  return (seat / w.mesh.roomSize) | 0
}

export function keeperOfMirror(w: SimulationState, mirror: number): number {
  return w.mesh.keeperOf[w.mesh.mirrorRoom[mirror] as number] as number
}

export function isLinked(w: SimulationState, mirror: number): boolean {
  const [here, there] = [w.mesh.mirrorHub[mirror] as number, keeperOfMirror(w, mirror)]
  return w.hub.isUp[here] === 1 && w.hub.isUp[there] === 1 && w.linkDown[here * w.mesh.hubs + there] === 0
}
