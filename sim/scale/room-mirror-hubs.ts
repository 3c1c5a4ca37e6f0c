import { classifySeq } from '../../agents/src/delivery/room-cursor.ts'
import { decideDelivery } from '../../server/hub/fanout/delivery-decision.ts'
import { sendToMirror } from './read-room-log.ts'
import {
  arrivalAtAgent,
  arrivalBetweenHubs,
  isLinked,
  keeperOfMirror,
  kinds,
  type SimulationState,
  scheduleDatabaseWork,
  scheduleHubWork,
  welcomed,
} from './simulation-state.ts'

const page = 100

/** Sends the messages that the owner of a room has written to the hubs that mirror it. */
export function notifyRoomMirrorHubs(w: SimulationState, room: number, first: number, last: number): void {
  const { mesh, mirror } = w
  for (let one = mesh.firstMirrorOf[room] as number; one < (mesh.firstMirrorOf[room + 1] as number); one++) {
    if (!isLinked(w, one)) continue
    const way = decideDelivery(mirror.sent[one] as number, mirror.isReading[one] === 1, first, last)
    if (way === 'push') send(w, one, first, last)
    else if (way === 'catch_up') readMirror(w, one)
  }
}

function send(w: SimulationState, one: number, first: number, last: number): void {
  const [keeper, hub] = [keeperOfMirror(w, one), w.mesh.mirrorHub[one] as number]
  const count = last - first + 1
  const done = scheduleHubWork(w, keeper, w.costs.hub_us.delivery * count)
  w.mirror.sent[one] = last
  w.queue.put(
    arrivalBetweenHubs(w, keeper, hub, done, w.costs.bytes.deliver * count),
    kinds.receiveAtMirror,
    one,
    first,
    last,
    w.mirror.epoch[one],
  )
}

export function readMirror(w: SimulationState, one: number): void {
  const { mirror } = w
  if (mirror.isReading[one] === 1) {
    mirror.isWoken[one] = 1
    return
  }
  mirror.isReading[one] = 1
  look(w, one)
}

function look(w: SimulationState, one: number): void {
  w.mirror.isWoken[one] = 0
  w.queue.put(scheduleDatabaseWork(w, keeperOfMirror(w, one), w.costs.postgres_us.read), kinds.mirrorPage, one, w.mirror.epoch[one])
}

export function deliverMirrorPage(w: SimulationState, one: number, epoch: number): void {
  const { mirror } = w
  if (mirror.epoch[one] !== epoch) return
  const sent = mirror.sent[one] as number
  const last = Math.min((w.logs[w.mesh.mirrorRoom[one] as number] as number[]).length, sent + page)
  if (last > sent) send(w, one, sent + 1, last)
  else if (mirror.isWoken[one] === 0) {
    mirror.isReading[one] = 0
    return
  }
  look(w, one)
}

/** Messages reach a mirror: it accepts those in sequence, and delivers them to its seats. */
export function receiveAtMirror(w: SimulationState, one: number, first: number, last: number, epoch: number): void {
  const { mirror } = w
  if (mirror.epoch[one] !== epoch) return
  const room = w.mesh.mirrorRoom[one] as number
  const hub = w.mesh.mirrorHub[one] as number
  const log = mirror.log[one] as number[]
  const kept = w.logs[room] as number[]
  const before = log.length
  scheduleHubWork(w, hub, w.costs.hub_us.message * (last - first + 1))
  for (let seq = first; seq <= last; seq++) {
    cursor.received = (mirror.base[one] as number) + log.length
    if (classifySeq(cursor, seq) === 'next') log.push(kept[seq - 1] as number)
  }
  const base = mirror.base[one] as number
  if (log.length > before) sendToMirror(w, room, one, base + before + 1, base + log.length)
}
const cursor = { received: 0, handled: 0, handledAhead: new Set<number>() }

/** A seat's message is forwarded to the owner of its room, and kept until its ack. */
export function forwardToOwner(w: SimulationState, one: number, id: number, done: number): void {
  const { mirror, mesh } = w
  ;(mirror.out[one] as number[]).push(id)
  if (w.bug === 'two numberers') {
    const log = mirror.log[one] as number[]
    log.push(id)
    const seq = (mirror.base[one] as number) + log.length
    sendToMirror(w, mesh.mirrorRoom[one] as number, one, seq, seq)
  }
  if (isLinked(w, one)) forwardOne(w, one, id, done)
}

function forwardOne(w: SimulationState, one: number, id: number, done: number): void {
  const at = arrivalBetweenHubs(w, w.mesh.mirrorHub[one] as number, keeperOfMirror(w, one), done, w.costs.bytes.post)
  w.queue.put(at, kinds.receiveAtOwnerHub, id, one, w.mirror.epoch[one])
}

/** The owner's ack: the message is no longer kept for a retry, and its sender receives the ack if it is connected. */
export function receiveOwnersAck(w: SimulationState, id: number, seq: number, one: number, epoch: number): void {
  if (w.mirror.epoch[one] !== epoch) return
  const out = w.mirror.out[one] as number[]
  const at = out.indexOf(id)
  if (at >= 0) out.splice(at, 1)
  const who = w.mesh.seatAgent[w.message.seat[id] as number] as number
  if (w.agent.state[who] !== welcomed) return
  w.queue.put(arrivalAtAgent(w, who, w.now, w.costs.bytes.ack), kinds.receiveAck, id, seq, w.agent.line[who])
}

/** The link between a mirror and its owner is broken: data in flight is lost. */
export function loseLink(w: SimulationState, one: number): void {
  w.mirror.epoch[one] = (w.mirror.epoch[one] as number) + 1
}

/** The link is restored: the mirror resumes from its position, and repeats its unacked messages in order. */
export function restoreLink(w: SimulationState, one: number): void {
  const { mirror } = w
  if (!isLinked(w, one)) return
  loseLink(w, one)
  mirror.sent[one] = (mirror.base[one] as number) + (mirror.log[one] as number[]).length
  mirror.isReading[one] = 0
  for (const id of mirror.out[one] as number[]) {
    w.sum.resends++
    forwardOne(w, one, id, w.now)
  }
  readMirror(w, one)
}
