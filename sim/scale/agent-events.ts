import { classifySeq } from '../../agents/src/delivery/room-cursor.ts'
import { backoffMs } from '../../agents/src/transport/reconnecting-socket.ts'
import { startReading, stopReading } from './read-room-log.ts'
import {
  arrivalAtAgent,
  arrivalAtHub,
  away,
  connecting,
  isLinked,
  keeperOfMirror,
  kinds,
  roomOfSeat,
  type SimulationState,
  scheduleDatabaseWork,
  scheduleHelloWork,
  welcomed,
} from './simulation-state.ts'

/** Messages in flight at which an agent stops posting. */
const window = 16
/** The time until a side detects that its connection is lost. */
const noticeMs = 50

/** A member posts a message. */
export function postMessage(w: SimulationState): void {
  const { mesh, seat, agent, message, dice } = w
  if (!w.isTalking) return
  w.queue.put(w.now + dice.wait(1_000 / (w.weather.talk * mesh.agents)), kinds.say)
  const own = dice.below(mesh.seats)
  const who = mesh.seatAgent[own] as number
  if (seat.active[own] === 0 || agent.state[who] !== welcomed || (agent.open[who] as number) >= window) return
  if (message.count === message.seat.length) return
  const id = message.count++
  message.seat[id] = own
  message.decidedAt[id] = w.now
  const before = seat.lastOwn[own] as number
  if (before >= 0) message.nextOwn[before] = id
  seat.lastOwn[own] = id
  if ((seat.firstOpen[own] as number) < 0) seat.firstOpen[own] = id
  agent.open[who] = (agent.open[who] as number) + 1
  w.judge.sent(own, id)
  post(w, who, id)
  if (dice.roll() < w.weather.duplicates) post(w, who, id)
}

function post(w: SimulationState, who: number, id: number): void {
  w.queue.put(arrivalAtHub(w, who, w.costs.bytes.post), kinds.receiveAtSenderHub, id, w.agent.line[who])
}

/** The ack of a message: it is on disk at this position. */
export function receiveAck(w: SimulationState, id: number, seq: number, line: number): void {
  const { message, seat, agent } = w
  const own = message.seat[id] as number
  const who = w.mesh.seatAgent[own] as number
  if (agent.line[who] !== line) return
  const before = message.ackedAs[id] as number
  w.judge.acked(own, id, seq, before)
  if (before !== 0) return
  message.ackedAs[id] = seq
  agent.open[who] = (agent.open[who] as number) - 1
  let open = seat.firstOpen[own] as number
  while (open >= 0 && message.ackedAs[open] !== 0) open = message.nextOwn[open] as number
  seat.firstOpen[own] = open
}

/** Messages `first` to `last` of its room reach a seat. */
export function receiveMessages(w: SimulationState, own: number, first: number, last: number, run: number, isLive: boolean): void {
  const { seat, message } = w
  if (seat.run[own] !== run) return
  const kept = w.logs[roomOfSeat(w, own)] as number[]
  const mirror = w.mesh.seatMirror[own] as number
  const base = mirror < 0 ? 0 : (w.mirror.base[mirror] as number)
  const log = mirror < 0 || first <= base ? kept : (w.mirror.log[mirror] as number[])
  const offset = log === kept ? 0 : base
  // Its hub receives the ack of handled messages later.
  seat.acked[own] = Math.min(seat.seen[own] as number, kept.length)
  w.sum.bytesUp += w.costs.bytes.ack
  for (let seq = first; seq <= last; seq++) {
    const id = log[seq - offset - 1] as number
    w.judge.got(own, seq, id, kept[seq - 1] === id)
    cursor.received = seat.seen[own] as number
    if (classifySeq(cursor, seq) !== 'next') continue
    seat.seen[own] = seq
    const ms = w.now - (message.decidedAt[id] as number)
    if (isLive) w.receivedAt.add(ms)
    else w.caughtUp.add(ms)
  }
  if (isLive) w.sum.live += last - first + 1
  else w.sum.fromLog += last - first + 1
}
/** The agent's own position in a room. Here it is one number among many. */
const cursor = { received: 0, handled: 0, handledAhead: new Set<number>() }

/** The connection is lost, at either side. Data in flight is lost. */
export function disconnect(w: SimulationState, who: number, awayMs: number): void {
  const { agent, mesh } = w
  agent.state[who] = away
  agent.line[who] = (agent.line[who] as number) + 1
  for (let at = mesh.firstSeatOf[who] as number; at < (mesh.firstSeatOf[who + 1] as number); at++)
    stopReading(w, mesh.seatsOf[at] as number)
  w.queue.put(w.now + noticeMs + awayMs, kinds.connect, who, agent.line[who])
}

/** It connects. Without an answer in time it retries, as the client library does. */
export function connect(w: SimulationState, who: number, line: number): void {
  const { agent, mesh } = w
  if (agent.line[who] !== line) return
  const hub = mesh.hubOf[who] as number
  if (w.hub.isUp[hub] === 0) {
    retryConnect(w, who)
    return
  }
  agent.state[who] = connecting
  w.queue.put(arrivalAtHub(w, who, w.costs.bytes.ack * 4), kinds.hello, who, line)
}

/** Its hub checks the signature of its hello, and then reads its identity from the database. */
export function sendHello(w: SimulationState, who: number, line: number): void {
  if (w.agent.line[who] === line)
    w.queue.put(scheduleHelloWork(w, w.mesh.hubOf[who] as number, w.costs.hub_us.hello), kinds.proveKey, who, line)
}
export function proveKey(w: SimulationState, who: number, line: number): void {
  if (w.agent.line[who] === line)
    w.queue.put(scheduleDatabaseWork(w, w.mesh.hubOf[who] as number, w.costs.postgres_us.hello), kinds.welcome, who, line)
}

export function retryConnect(w: SimulationState, who: number): void {
  const tries = w.agent.tries[who] as number
  w.agent.tries[who] = Math.min(30, tries + 1)
  const wait = backoffMs(tries, { baseMs: 250, capMs: 30_000, random: w.dice.roll })
  w.queue.put(w.now + wait, kinds.connect, who, w.agent.line[who])
}

/** It is authenticated: it resumes its rooms from its position, and repeats its unacked messages in order. */
export function sendWelcome(w: SimulationState, who: number, line: number): void {
  const { agent, mesh, seat, message } = w
  if (agent.line[who] !== line) return
  agent.state[who] = welcomed
  agent.tries[who] = 0
  const hub = mesh.hubOf[who] as number
  const after = arrivalAtAgent(w, who, w.now, w.costs.bytes.ack * 4)
  agent.upFree[who] = Math.max(agent.upFree[who] as number, after)
  for (let at = mesh.firstSeatOf[who] as number; at < (mesh.firstSeatOf[who + 1] as number); at++) {
    const own = mesh.seatsOf[at] as number
    if (seat.active[own] === 1) startReading(w, own)
    for (let open = seat.firstOpen[own] as number; open >= 0; open = message.nextOwn[open] as number) {
      if (message.ackedAs[open] !== 0) continue
      w.sum.resends++
      post(w, who, open)
    }
  }
  const downAt = w.hub.downAt[hub] as number
  if (downAt === 0 || (w.hub.missing[hub] as number) === 0) return
  const missing = (w.hub.missing[hub] as number) - 1
  w.hub.missing[hub] = missing
  if (missing === 0) {
    w.sum.stormMs = Math.max(w.sum.stormMs, w.now - downAt)
    w.hub.downAt[hub] = 0
  }
}

/** A seat is released, or taken by a client that reads the room from the beginning or from an earlier position. */
export function moveSeat(w: SimulationState): void {
  const { seat, weather, mesh, dice } = w
  if (!w.isTalking || weather.moves === 0) return
  w.queue.put(w.now + dice.wait(1_000 / (weather.moves * mesh.agents)), kinds.moveSeat)
  const own = dice.below(mesh.seats)
  const who = w.mesh.seatAgent[own] as number
  if (w.agent.state[who] !== welcomed || (seat.firstOpen[own] as number) >= 0) return
  w.sum.moves++
  if (seat.active[own] === 1) {
    seat.active[own] = 0
    stopReading(w, own)
    return
  }
  const mirror = w.mesh.seatMirror[own] as number
  if (mirror >= 0 && !isLinked(w, mirror)) return
  if (mirror >= 0 && w.hub.isUp[keeperOfMirror(w, mirror)] === 0) return
  seat.active[own] = 1
  startReading(w, own)
}
