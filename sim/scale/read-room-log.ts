import { decideDelivery } from '../../server/hub/fanout/delivery-decision.ts'
import {
  arrivalAtAgent,
  arrivalBetweenHubs,
  isLinked,
  keeperOfMirror,
  kinds,
  roomOfSeat,
  type SimulationState,
  scheduleDatabaseWork,
  scheduleHubWork,
  welcomed,
} from './simulation-state.ts'

/** Messages of one read of a log. */
const page = 100
/** The delay after which a hub repeats a request to a hub that it cannot reach. */
const retryMs = 200

/** Starts to read a room for a seat, from the agent's position as its hub knows it. */
export function startReading(w: SimulationState, own: number): void {
  const { seat } = w
  seat.run[own] = (seat.run[own] as number) + 1
  seat.after[own] = seat.acked[own] as number
  seat.isReading[own] = 0
  seat.isWoken[own] = 0
  w.judge.began(own, seat.acked[own] as number)
  read(w, own)
}

export function stopReading(w: SimulationState, own: number): void {
  w.seat.run[own] = (w.seat.run[own] as number) + 1
}

/** The last position of a room that a seat's hub has. */
function headOf(w: SimulationState, own: number): number {
  const mirror = w.mesh.seatMirror[own] as number
  if (mirror < 0) return (w.logs[roomOfSeat(w, own)] as number[]).length
  return (w.mirror.base[mirror] as number) + (w.mirror.log[mirror] as number[]).length
}

function read(w: SimulationState, own: number): void {
  const { seat } = w
  if (seat.isReading[own] === 1) {
    seat.isWoken[own] = 1
    return
  }
  seat.isReading[own] = 1
  look(w, own)
}

/** Reads the log. Of a room that another hub owns, messages older than this hub's memory are requested from the owner. */
function look(w: SimulationState, own: number): void {
  const hub = w.mesh.hubOf[w.mesh.seatAgent[own] as number] as number
  const mirror = w.mesh.seatMirror[own] as number
  const run = w.seat.run[own] as number
  w.seat.isWoken[own] = 0
  if (mirror < 0) w.queue.put(scheduleDatabaseWork(w, hub, w.costs.postgres_us.read), kinds.page, own, run)
  else if ((w.seat.after[own] as number) >= (w.mirror.base[mirror] as number)) w.queue.put(w.now, kinds.page, own, run)
  else if (!isLinked(w, mirror)) lookLater(w, own, run)
  else {
    const at = arrivalBetweenHubs(w, hub, keeperOfMirror(w, mirror), w.now, w.costs.bytes.ack)
    w.queue.put(at, kinds.fetchPage, own, run, mirror, w.mirror.epoch[mirror])
  }
}

function lookLater(w: SimulationState, own: number, run: number): void {
  w.queue.put(w.now + retryMs, kinds.page, own, run, 1)
}

/** The owner is asked for its messages of a room, and returns a page. If the link breaks meanwhile, the request is repeated. */
export function fetchPage(w: SimulationState, own: number, run: number, mirror: number, epoch: number): void {
  if (w.mirror.epoch[mirror] !== epoch) lookLater(w, own, run)
  else
    w.queue.put(
      scheduleDatabaseWork(w, keeperOfMirror(w, mirror), w.costs.postgres_us.read),
      kinds.receiveFetchedPage,
      own,
      run,
      mirror,
      epoch,
    )
}
export function receiveFetchedPage(w: SimulationState, own: number, run: number, mirror: number, epoch: number): void {
  if (w.mirror.epoch[mirror] !== epoch) {
    lookLater(w, own, run)
    return
  }
  const count = Math.min(page, Math.max(0, (w.mirror.base[mirror] as number) - (w.seat.after[own] as number)))
  const at = arrivalBetweenHubs(w, keeperOfMirror(w, mirror), w.mesh.mirrorHub[mirror] as number, w.now, w.costs.bytes.deliver * count)
  w.queue.put(at, kinds.page, own, run)
}

/** The result of a read: its messages are delivered, and the next read follows until there are no more. */
export function deliverPage(w: SimulationState, own: number, run: number, isFailed: number): void {
  const { seat } = w
  if (seat.run[own] !== run) return
  if (isFailed === 1) {
    look(w, own)
    return
  }
  const after = seat.after[own] as number
  const mirror = w.mesh.seatMirror[own] as number
  const base = mirror < 0 ? 0 : (w.mirror.base[mirror] as number)
  // A page from the owner ends where this hub's memory begins.
  const head = after < base ? base : headOf(w, own)
  const last = Math.min(head, after + page)
  if (last > after) send(w, own, after + 1, last, kinds.fromLog)
  else if (seat.isWoken[own] === 0) {
    seat.isReading[own] = 0
    return
  }
  look(w, own)
}

function send(w: SimulationState, own: number, first: number, last: number, kind: number): void {
  const who = w.mesh.seatAgent[own] as number
  const count = last - first + 1
  const done = scheduleHubWork(w, w.mesh.hubOf[who] as number, w.costs.hub_us.delivery * count)
  w.seat.after[own] = last
  w.queue.put(arrivalAtAgent(w, who, done, w.costs.bytes.deliver * count), kind, own, first, last, w.seat.run[own])
}

/** Messages `first` to `last` were added to a hub's log of this room: delivers them to all its seats there, `mirror` of them. */
export function sendToMirror(w: SimulationState, room: number, mirror: number, first: number, last: number): void {
  const { seat, mesh, agent } = w
  for (let own = room * mesh.roomSize; own < (room + 1) * mesh.roomSize; own++) {
    if (mesh.seatMirror[own] !== mirror || seat.active[own] === 0 || agent.state[mesh.seatAgent[own] as number] !== welcomed) continue
    const way = w.bug === 'push without cursor' ? 'push' : decideDelivery(seat.after[own] as number, seat.isReading[own] === 1, first, last)
    if (way === 'push') send(w, own, first, last, kinds.live)
    else if (way === 'catch_up') read(w, own)
  }
}
