import type { Dice } from './seeded-random.ts'

/** The initial state of the mesh. */
export type MeshShape = {
  readonly agents: number
  readonly hubs: number
  readonly roomSize: number
  /** Average number of rooms of an agent. */
  readonly seatsPerAgent: number
  /** The share of rooms with members at several hubs. */
  readonly spanning: number
  /** Maximum number of hubs of such a room. */
  readonly hubsPerRoom: number
}

/**
 * Hubs, each an installation with its own database; agents, each connected to its hub; rooms, each owned by one hub. The seats of room
 * r are r × roomSize and those that follow. A hub with seats of a room that another hub owns has a mirror of it.
 */
export type Mesh = MeshShape & {
  readonly rooms: number
  readonly seats: number
  readonly mirrors: number
  readonly hubOf: Uint16Array
  readonly keeperOf: Uint16Array
  readonly seatAgent: Int32Array
  /** The mirror that serves the seat, or -1 if its own hub owns the room. */
  readonly seatMirror: Int32Array
  /** The seats of agent a: `seatsOf` from `firstSeatOf[a]` up to `firstSeatOf[a + 1]`. */
  readonly firstSeatOf: Int32Array
  readonly seatsOf: Int32Array
  readonly firstMirrorOf: Int32Array
  readonly mirrorHub: Uint16Array
  readonly mirrorRoom: Int32Array
  /** One-way latency in milliseconds, between hubs and from an agent to its hub. */
  readonly hubAway: Float64Array
  readonly agentAway: Float32Array
}

/** Hubs are placed like continents on a plane; distances are milliseconds. */
const planeMs = 70
const minHubMs = 1

export function layOutHubMesh(shape: MeshShape, dice: Dice): Mesh {
  const { agents, hubs, roomSize } = shape
  const rooms = Math.ceil((agents * shape.seatsPerAgent) / roomSize)
  const seats = rooms * roomSize
  const hubOf = Uint16Array.from({ length: agents }, (_, agent) => agent % hubs)
  const agentAway = Float32Array.from({ length: agents }, () => 2 + dice.wait(12))
  const at = Array.from({ length: hubs }, () => [dice.roll() * planeMs, dice.roll() * planeMs] as const)
  const hubAway = new Float64Array(hubs * hubs)
  for (const [from, [x, y]] of at.entries())
    for (const [to, [u, v]] of at.entries()) if (from !== to) hubAway[from * hubs + to] = minHubMs + Math.hypot(x - u, y - v)

  const keeperOf = new Uint16Array(rooms)
  const seatAgent = new Int32Array(seats)
  const seatMirror = new Int32Array(seats).fill(-1)
  const firstMirrorOf = new Int32Array(rooms + 1)
  const mirrorHub: number[] = []
  const mirrorRoom: number[] = []
  const perHub = Math.floor(agents / hubs)
  for (let room = 0; room < rooms; room++) {
    const keeper = dice.below(hubs)
    keeperOf[room] = keeper
    firstMirrorOf[room] = mirrorHub.length
    const isSpanning = dice.roll() < shape.spanning
    const there = [keeper, ...Array.from({ length: isSpanning ? 1 + dice.below(shape.hubsPerRoom - 1) : 0 }, () => dice.below(hubs))]
    const own = new Set<number>()
    for (let index = 0; index < roomSize; index++) {
      const seat = room * roomSize + index
      const hub = there[index % there.length] as number
      let agent = dice.below(perHub) * hubs + hub
      while (own.has(agent)) agent = dice.below(perHub) * hubs + hub
      own.add(agent)
      seatAgent[seat] = agent
      if (hub === keeper) continue
      let mirror = mirrorHub.indexOf(hub, firstMirrorOf[room])
      if (mirror < 0) {
        mirror = mirrorHub.push(hub) - 1
        mirrorRoom.push(room)
      }
      seatMirror[seat] = mirror
    }
  }
  firstMirrorOf[rooms] = mirrorHub.length
  return {
    ...shape,
    rooms,
    seats,
    mirrors: mirrorHub.length,
    hubOf,
    keeperOf,
    seatAgent,
    seatMirror,
    ...byAgent(agents, seatAgent),
    firstMirrorOf,
    mirrorHub: Uint16Array.from(mirrorHub),
    mirrorRoom: Int32Array.from(mirrorRoom),
    hubAway,
    agentAway,
  }
}

function byAgent(agents: number, seatAgent: Int32Array): Pick<Mesh, 'firstSeatOf' | 'seatsOf'> {
  const firstSeatOf = new Int32Array(agents + 1)
  for (const agent of seatAgent) firstSeatOf[agent + 1] = (firstSeatOf[agent + 1] as number) + 1
  for (let agent = 0; agent < agents; agent++) firstSeatOf[agent + 1] = (firstSeatOf[agent + 1] as number) + (firstSeatOf[agent] as number)
  const next = firstSeatOf.slice()
  const seatsOf = new Int32Array(seatAgent.length)
  for (const [seat, agent] of seatAgent.entries()) {
    const at = next[agent] as number
    seatsOf[at] = seat
    next[agent] = at + 1
  }
  return { firstSeatOf, seatsOf }
}
