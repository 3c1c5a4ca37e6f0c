import type { AgentConnection } from './connection-types.ts'

type RoomTracker = { track(roomId: string, head: number): void; untrack(roomId: string): void }

/** The open connections of this hub, by agent and by room. */
export type ConnectionIndex = {
  readonly connections: Set<AgentConnection>
  readonly byAgent: Map<string, AgentConnection>
  readonly byRoom: Map<string, Set<AgentConnection>>
  readonly roomIdsOf: Map<AgentConnection, readonly string[]>
  /** Called by the connections. */
  readonly events: {
    onAgent(session: AgentConnection, agentId: string): void
    onRooms(session: AgentConnection, roomIds: readonly string[]): void
    onHeads(rooms: readonly { readonly roomId: string; readonly head: number }[]): void
    onEnd(session: AgentConnection): void
  }
  /** How many connections have opened and closed. */
  moves: number
}

/** `tracker`: follows the rooms that any connection reads. */
export function createConnectionIndex(tracker: RoomTracker): ConnectionIndex {
  const connections = new Set<AgentConnection>()
  const byAgent = new Map<string, AgentConnection>()
  const byRoom = new Map<string, Set<AgentConnection>>()
  const roomIdsOf = new Map<AgentConnection, readonly string[]>()

  function removeFromRooms(session: AgentConnection, kept: ReadonlySet<string> = new Set()): void {
    for (const roomId of roomIdsOf.get(session) ?? []) {
      if (kept.has(roomId)) continue
      const there = byRoom.get(roomId)
      there?.delete(session)
      if (there?.size !== 0) continue
      byRoom.delete(roomId)
      tracker.untrack(roomId)
    }
  }

  const index: ConnectionIndex = {
    connections,
    byAgent,
    byRoom,
    roomIdsOf,
    moves: 0,
    events: {
      onAgent(session, agentId) {
        const former = byAgent.get(agentId)
        byAgent.set(agentId, session)
        if (former && former !== session) former.fence()
      },
      onRooms(session, roomIds) {
        removeFromRooms(session, new Set(roomIds))
        roomIdsOf.set(session, roomIds)
        for (const roomId of roomIds) byRoom.set(roomId, (byRoom.get(roomId) ?? new Set()).add(session))
      },
      onHeads(rooms) {
        for (const { roomId, head } of rooms) if (byRoom.has(roomId)) tracker.track(roomId, head)
      },
      onEnd(session) {
        index.moves++
        removeFromRooms(session)
        roomIdsOf.delete(session)
        connections.delete(session)
        const agentId = session.agentId()
        if (agentId && byAgent.get(agentId) === session) byAgent.delete(agentId)
      },
    },
  }
  return index
}
