import { batchSize } from '../../server/conversations/messaging/flow-control/batch-size.ts'
import { sendToMirror } from './read-room-log.ts'
import { forwardToOwner, notifyRoomMirrorHubs } from './room-mirror-hubs.ts'
import {
  arrivalAtAgent,
  arrivalBetweenHubs,
  keeperOfMirror,
  kinds,
  roomOfSeat,
  type SimulationState,
  scheduleDatabaseWork,
  scheduleHubWork,
  welcomed,
} from './simulation-state.ts'

/** Bytes of a message's text. */
const textBytes = 1_024
/** The share of writes that meet a busy disk, and their extra latency. */
const stalls = 0.002
const stallTimes = 8

/** A message reaches its sender's hub. */
export function receiveAtSenderHub(w: SimulationState, id: number, line: number): void {
  const own = w.message.seat[id] as number
  const who = w.mesh.seatAgent[own] as number
  if (w.agent.line[who] !== line) return
  const hub = w.mesh.hubOf[who] as number
  const done = scheduleHubWork(w, hub, w.costs.hub_us.message)
  const mirror = w.mesh.seatMirror[own] as number
  if (mirror >= 0) {
    forwardToOwner(w, mirror, id, done)
    return
  }
  note(w, id)
  w.queue.put(done, kinds.validateMessage, id, w.hub.epoch[hub])
}

/** A message reaches the owner of its room from another hub, which is trusted no more than a sender. */
export function receiveAtOwnerHub(w: SimulationState, id: number, mirror: number, epoch: number): void {
  if (w.mirror.epoch[mirror] !== epoch) return
  const keeper = keeperOfMirror(w, mirror)
  note(w, id)
  w.queue.put(scheduleHubWork(w, keeper, w.costs.hub_us.message), kinds.validateMessage, id, w.hub.epoch[keeper])
}

function note(w: SimulationState, id: number): void {
  if (w.message.arrivedAt[id] === 0) w.message.arrivedAt[id] = w.now
}

/** A message is validated and waits for the next write; one that is written already is acked with its position. */
export function validateMessage(w: SimulationState, id: number, epoch: number): void {
  const room = roomOfSeat(w, w.message.seat[id] as number)
  const keeper = w.mesh.keeperOf[room] as number
  if (w.hub.epoch[keeper] !== epoch) return
  const queue = w.hub.queue[keeper] as number[]
  queue.push(id)
  if (w.bug === 'ack before commit') receiveAck(w, id, (w.logs[room] as number[]).length + queue.length)
  w.hub.longest[keeper] = Math.max(w.hub.longest[keeper] as number, queue.length)
  if ((w.hub.writing[keeper] as number[]).length === 0) write(w, keeper)
}

/** What arrived during one write goes into the next. */
function write(w: SimulationState, hub: number): void {
  const queue = w.hub.queue[hub] as number[]
  const count = batchSize(queue.length, () => textBytes)
  w.hub.writing[hub] = queue.splice(0, count)
  const { flush_ms, hub_us, postgres_us } = w.costs
  const stall = w.dice.roll() < stalls ? stallTimes : 1
  const disk = (flush_ms.base * stall + flush_ms.message * count) * (0.8 + w.dice.wait(0.2))
  scheduleHubWork(w, hub, hub_us.write)
  const asked = scheduleDatabaseWork(w, hub, postgres_us.write + postgres_us.message * count)
  w.hub.diskBusy[hub] = (w.hub.diskBusy[hub] as number) + disk
  w.queue.put(Math.max(asked, w.now + disk), kinds.finishWrite, hub, w.hub.epoch[hub])
}

/** A write is on disk: acks and deliveries follow, and the next write. */
export function finishWrite(w: SimulationState, hub: number, epoch: number): void {
  if (w.hub.epoch[hub] !== epoch) return
  const batch = w.hub.writing[hub] as number[]
  w.hub.writing[hub] = []
  const rooms = commit(w, batch)
  for (const [room, first] of rooms) {
    const last = (w.logs[room] as number[]).length
    sendToMirror(w, room, -1, first, last)
    notifyRoomMirrorHubs(w, room, first, last)
  }
  const done = scheduleHubWork(w, hub, 0)
  for (const id of batch) {
    w.within.add(done - (w.message.arrivedAt[id] as number))
    if (w.bug !== 'ack before commit') receiveAck(w, id, placeOf(w, id))
  }
  if ((w.hub.queue[hub] as number[]).length > 0) write(w, hub)
}

/** Assigns positions to messages that are not in the log yet. Returns each room with its first new position. */
export function commit(w: SimulationState, batch: readonly number[]): Map<number, number> {
  const rooms = new Map<number, number>()
  for (const id of batch) {
    if (w.message.seq[id] !== 0 && w.bug !== 'no dedupe') continue
    const room = roomOfSeat(w, w.message.seat[id] as number)
    const seq = (w.logs[room] as number[]).push(id)
    if (w.message.seq[id] === 0) w.message.seq[id] = seq
    if (!rooms.has(room)) rooms.set(room, seq)
  }
  return rooms
}

/** Without deduplication a repeated message is acked with its newest position. */
function placeOf(w: SimulationState, id: number): number {
  const seq = w.message.seq[id] as number
  if (w.bug !== 'no dedupe') return seq
  return (w.logs[roomOfSeat(w, w.message.seat[id] as number)] as number[]).lastIndexOf(id) + 1
}

function receiveAck(w: SimulationState, id: number, seq: number): void {
  const own = w.message.seat[id] as number
  const who = w.mesh.seatAgent[own] as number
  const mirror = w.mesh.seatMirror[own] as number
  if (mirror >= 0) {
    const at = arrivalBetweenHubs(w, keeperOfMirror(w, mirror), w.mesh.mirrorHub[mirror] as number, w.now, w.costs.bytes.ack)
    w.queue.put(at, kinds.receiveOwnersAck, id, seq, mirror, w.mirror.epoch[mirror])
    return
  }
  if (w.agent.state[who] !== welcomed) return
  w.queue.put(arrivalAtAgent(w, who, w.now, w.costs.bytes.ack), kinds.receiveAck, id, seq, w.agent.line[who])
}
