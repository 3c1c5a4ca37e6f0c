import { disconnect, retryConnect } from './agent-events.ts'
import { loseLink, restoreLink } from './room-mirror-hubs.ts'
import { commit } from './room-owner-hub.ts'
import { away, isLinked, kinds, type SimulationState, welcomed } from './simulation-state.ts'

/** Milliseconds: until a dead hub restarts, of a broken link between hubs, and of an agent's absence. */
const deadMs = 2_000
const apartMs = 2_500
const awayMs = 4_000

/** Schedules the random events, and starts the load. */
export function scheduleLoadAndFaults(w: SimulationState): void {
  const { weather, mesh, dice } = w
  const end = weather.seconds * 1_000
  for (let seat = 0; seat < mesh.seats; seat++) {
    // One seat of eight is empty, so that a client can join.
    w.seat.active[seat] = seat % 8 === 7 ? 0 : 1
    if (w.seat.active[seat] === 1) w.judge.began(seat, 0)
  }
  w.queue.put(0, kinds.say)
  w.queue.put(0, kinds.cutSocket)
  w.queue.put(0, kinds.moveSeat)
  const crashes = weather.crashes === 0 ? 0 : Math.max(1, Math.round(mesh.hubs * weather.crashes))
  const first = dice.below(mesh.hubs)
  for (let index = 0; index < crashes; index++)
    w.queue.put(end * (0.15 + (0.55 * (index + dice.roll())) / crashes), kinds.hubDown, (first + index) % mesh.hubs)
  const splits = weather.splits === 0 ? 0 : Math.max(1, Math.round(mesh.hubs * weather.splits))
  for (let index = 0; index < splits; index++) {
    const here = dice.below(mesh.hubs)
    const there = (here + 1 + dice.below(mesh.hubs - 1)) % mesh.hubs
    w.queue.put(end * (0.1 + 0.7 * dice.roll()), kinds.linkDown, here, there)
  }
}

/** A socket fails, or a client disconnects for a while. */
export function cutSocket(w: SimulationState): void {
  const { weather, mesh, dice } = w
  const rate = weather.cuts + weather.leaves
  if (!w.isTalking || rate === 0) return
  w.queue.put(w.now + dice.wait(1_000 / (rate * mesh.agents)), kinds.cutSocket)
  const who = dice.below(mesh.agents)
  if (w.agent.state[who] !== welcomed) return
  w.sum.cuts++
  const isLeaving = dice.roll() < weather.leaves / rate
  disconnect(w, who, isLeaving ? dice.wait(awayMs) : dice.wait(125))
}

/** A hub is killed: its memory is lost, its last write may be complete, and all its agents are disconnected. */
export function hubDown(w: SimulationState, hub: number): void {
  const { mesh, agent } = w
  w.hub.isUp[hub] = 0
  w.hub.epoch[hub] = (w.hub.epoch[hub] as number) + 1
  if (w.dice.roll() < 0.5) commit(w, w.hub.writing[hub] as number[])
  w.hub.queue[hub] = []
  w.hub.writing[hub] = []
  let thrownOut = 0
  for (let who = hub; who < mesh.agents; who += mesh.hubs) {
    if (agent.state[who] === away) continue
    thrownOut++
    disconnectAll(w, who)
  }
  w.hub.downAt[hub] = w.now
  w.hub.missing[hub] = thrownOut
  w.sum.stormAgents = Math.max(w.sum.stormAgents, thrownOut)
  for (let one = 0; one < mesh.mirrors; one++) {
    const isHere = mesh.mirrorHub[one] === hub
    if (!isHere && mesh.keeperOf[mesh.mirrorRoom[one] as number] !== hub) continue
    loseLink(w, one)
    if (isHere) forget(w, one)
  }
  w.queue.put(w.now + deadMs, kinds.hubUp, hub)
}

function disconnectAll(w: SimulationState, who: number): void {
  disconnect(w, who, 0)
  // The attempt that is scheduled already happens with its back-off instead.
  w.agent.line[who] = (w.agent.line[who] as number) + 1
  retryConnect(w, who)
}

/** A mirror resumes after the last message that all its seats have acked. */
function forget(w: SimulationState, one: number): void {
  const room = w.mesh.mirrorRoom[one] as number
  let base = (w.logs[room] as number[]).length
  for (let own = room * w.mesh.roomSize; own < (room + 1) * w.mesh.roomSize; own++)
    if (w.mesh.seatMirror[own] === one && w.seat.active[own] === 1) base = Math.min(base, w.seat.acked[own] as number)
  w.mirror.base[one] = base
  w.mirror.log[one] = []
  w.mirror.out[one] = []
}

export function hubUp(w: SimulationState, hub: number): void {
  w.hub.isUp[hub] = 1
  w.hub.free[hub] = w.now
  w.hub.helloFree[hub] = w.now
  w.hub.lastDone[hub] = w.now
  w.hub.dbFree[hub] = w.now
  for (let one = 0; one < w.mesh.mirrors; one++)
    if (w.mesh.mirrorHub[one] === hub || w.mesh.keeperOf[w.mesh.mirrorRoom[one] as number] === hub) restoreLink(w, one)
}

/** Two hubs are partitioned for a while. */
export function linkDown(w: SimulationState, here: number, there: number): void {
  set(w, here, there, 1)
  w.queue.put(w.now + w.dice.wait(apartMs), kinds.linkUp, here, there)
}

export function linkUp(w: SimulationState, here: number, there: number): void {
  set(w, here, there, 0)
}

function set(w: SimulationState, here: number, there: number, isDown: number): void {
  const { mesh } = w
  w.linkDown[here * mesh.hubs + there] = isDown
  w.linkDown[there * mesh.hubs + here] = isDown
  for (let one = 0; one < mesh.mirrors; one++) {
    const [hub, keeper] = [mesh.mirrorHub[one] as number, mesh.keeperOf[mesh.mirrorRoom[one] as number] as number]
    if (!((hub === here && keeper === there) || (hub === there && keeper === here))) continue
    if (isDown === 1) loseLink(w, one)
    else if (isLinked(w, one)) restoreLink(w, one)
  }
}
