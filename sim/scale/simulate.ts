import type { Faults } from '../../chaos/hub/check-delivery.ts'
import { connect, moveSeat, postMessage, proveKey, receiveAck, receiveMessages, sendHello, sendWelcome } from './agent-events.ts'
import { cutSocket, hubDown, hubUp, linkDown, linkUp, scheduleLoadAndFaults } from './inject-failures.ts'
import { deliverPage, fetchPage, receiveFetchedPage } from './read-room-log.ts'
import { deliverMirrorPage, receiveAtMirror, receiveOwnersAck } from './room-mirror-hubs.ts'
import { finishWrite, receiveAtOwnerHub, receiveAtSenderHub, validateMessage } from './room-owner-hub.ts'
import { createSimulationState, kinds, type Setting, type SimulationState } from './simulation-state.ts'

export type SimulationFigures = {
  readonly agents: number
  readonly hubs: number
  readonly rooms: number
  readonly messages: number
  readonly events: number
  readonly faults: Faults
  /** Messages that were never acked. */
  readonly unanswered: number
  readonly live: number
  readonly from_log: number
  readonly cuts: number
  readonly moves: number
  readonly resends: number
  /** Milliseconds from send to receipt, over all networks between. */
  readonly p50_ms: number
  readonly p99_ms: number
  /** The same of messages that were read from the log, because the reader was disconnected or behind. */
  readonly log_p99_ms: number
  /** Milliseconds within the room's owner: validation, write, disk. */
  readonly hub_p50_ms: number
  readonly hub_p99_ms: number
  /** Utilization under load of the hub's thread, PostgreSQL's cores and the disk: average and maximum. */
  readonly busy: { readonly hub: number; readonly postgres: number; readonly disk: number }
  readonly busiest: { readonly hub: number; readonly postgres: number; readonly disk: number }
  readonly longest_queue: number
  /** The maximum number of simultaneous reconnects, and the time after the crash until the last one was complete. */
  readonly storm_agents: number
  readonly storm_ms: number
  readonly bytes_per_message: { readonly to_hubs: number; readonly to_agents: number; readonly between_hubs: number }
}

/** Runs the mesh until no event is left, and returns the figures. The same settings give the same result. */
export function simulate(setting: Setting): SimulationFigures {
  const w = createSimulationState(setting)
  scheduleLoadAndFaults(w)
  const end = setting.weather.seconds * 1_000
  let talked = end
  const busyAtEnd = { hub: w.hub.busy.slice(), db: w.hub.dbBusy.slice(), disk: w.hub.diskBusy.slice() }
  while (w.queue.next()) {
    if (w.isTalking && w.queue.taken.at >= end) {
      w.isTalking = false
      talked = w.queue.taken.at
      // Work that arrived but still waits was not done in this time.
      busyAtEnd.hub.set(w.hub.busy.map((ms, hub) => Math.min(talked, ms - backlogOf(w, hub))))
      busyAtEnd.db.set(w.hub.dbBusy)
      busyAtEnd.disk.set(w.hub.diskBusy)
    }
    w.now = w.queue.taken.at
    w.sum.events++
    const { kind, a, b, c, d } = w.queue.taken
    ;(byKind[kind] as Step)(w, a, b, c, d)
  }
  return reckon(w, busyAtEnd, talked)
}

type Step = (w: SimulationState, a: number, b: number, c: number, d: number) => void
/** The handler of each kind of event. It receives the numbers of the event. */
const steps: { readonly [kind in keyof typeof kinds]: Step } = {
  say: postMessage,
  receiveAtSenderHub,
  validateMessage,
  finishWrite,
  live: (w, seat, first, last, run) => receiveMessages(w, seat, first, last, run, true),
  fromLog: (w, seat, first, last, run) => receiveMessages(w, seat, first, last, run, false),
  page: deliverPage,
  receiveAck,
  receiveAtOwnerHub,
  receiveOwnersAck,
  receiveAtMirror,
  mirrorPage: deliverMirrorPage,
  cutSocket,
  connect,
  hello: sendHello,
  proveKey,
  welcome: sendWelcome,
  fetchPage,
  receiveFetchedPage,
  hubDown,
  hubUp,
  linkDown,
  linkUp,
  moveSeat,
}
const byKind: Step[] = []
for (const [name, kind] of Object.entries(kinds)) byKind[kind] = steps[name as keyof typeof kinds]

function backlogOf({ now, hub: { free, helloFree: arrivalFreeAt } }: SimulationState, hub: number): number {
  const left = (at: number) => Math.max(0, at - now)
  return left(free[hub] as number) + left(arrivalFreeAt[hub] as number)
}

function reckon(w: SimulationState, busy: { hub: Float64Array; db: Float64Array; disk: Float64Array }, ms: number): SimulationFigures {
  const { mesh, message, sum } = w
  const mean = (of: Float64Array) => round(of.reduce((all, one) => all + one, 0) / of.length / ms, 4)
  const max = (of: Float64Array) => round(of.reduce((all, one) => Math.max(all, one), 0) / ms, 4)
  const messageCount = message.count
  let answered = 0
  for (let id = 0; id < messageCount; id++) if (message.ackedAs[id] !== 0) answered++
  return {
    agents: mesh.agents,
    hubs: mesh.hubs,
    rooms: mesh.rooms,
    messages: messageCount,
    events: sum.events,
    faults: w.judge.verdict({
      logs: w.logs,
      seatOf: message.seat,
      seqOf: message.seq,
      ackedAs: message.ackedAs,
      active: w.seat.active,
      seen: w.seat.seen,
    }),
    unanswered: messageCount - answered,
    live: sum.live,
    from_log: sum.fromLog,
    cuts: sum.cuts,
    moves: sum.moves,
    resends: sum.resends,
    p50_ms: round(w.receivedAt.at(0.5), 1),
    p99_ms: round(w.receivedAt.at(0.99), 1),
    log_p99_ms: round(w.caughtUp.at(0.99), 0),
    hub_p50_ms: round(w.within.at(0.5), 2),
    hub_p99_ms: round(w.within.at(0.99), 2),
    busy: { hub: mean(busy.hub), postgres: mean(busy.db), disk: mean(busy.disk) },
    busiest: { hub: max(busy.hub), postgres: max(busy.db), disk: max(busy.disk) },
    longest_queue: w.hub.longest.reduce((all, one) => Math.max(all, one), 0),
    storm_agents: sum.stormAgents,
    storm_ms: round(sum.stormMs, 0),
    bytes_per_message: {
      to_hubs: round(sum.bytesUp / messageCount, 0),
      to_agents: round(sum.bytesDown / messageCount, 0),
      between_hubs: round(sum.bytesBetween / messageCount, 0),
    },
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
