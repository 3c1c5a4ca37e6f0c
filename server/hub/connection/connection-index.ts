import type { AgentConnection } from './connection-types.ts'

type RoomTracker = { track(groupId: string, head: number): void; untrack(groupId: string): void }

/** The open connections of this hub, by agent and by group. */
export type ConnectionIndex = {
  readonly connections: Set<AgentConnection>
  readonly byAgent: Map<string, AgentConnection>
  readonly byGroup: Map<string, Set<AgentConnection>>
  readonly groupsOf: Map<AgentConnection, readonly string[]>
  /** Called by the connections. */
  readonly events: {
    onAgent(session: AgentConnection, agentId: string): void
    onGroups(session: AgentConnection, groupIds: readonly string[]): void
    onHeads(groups: readonly { readonly groupId: string; readonly head: number }[]): void
    onEnd(session: AgentConnection): void
  }
  /** How many connections have opened and closed. */
  moves: number
}

/** `tracker`: follows the rooms that any connection reads. */
export function createConnectionIndex(tracker: RoomTracker): ConnectionIndex {
  const connections = new Set<AgentConnection>()
  const byAgent = new Map<string, AgentConnection>()
  const byGroup = new Map<string, Set<AgentConnection>>()
  const groupsOf = new Map<AgentConnection, readonly string[]>()

  function removeFromGroups(session: AgentConnection, kept: ReadonlySet<string> = new Set()): void {
    for (const groupId of groupsOf.get(session) ?? []) {
      if (kept.has(groupId)) continue
      const there = byGroup.get(groupId)
      there?.delete(session)
      if (there?.size !== 0) continue
      byGroup.delete(groupId)
      tracker.untrack(groupId)
    }
  }

  const index: ConnectionIndex = {
    connections,
    byAgent,
    byGroup,
    groupsOf,
    moves: 0,
    events: {
      onAgent(session, agentId) {
        const former = byAgent.get(agentId)
        byAgent.set(agentId, session)
        if (former && former !== session) former.fence()
      },
      onGroups(session, groupIds) {
        removeFromGroups(session, new Set(groupIds))
        groupsOf.set(session, groupIds)
        for (const groupId of groupIds) byGroup.set(groupId, (byGroup.get(groupId) ?? new Set()).add(session))
      },
      onHeads(groups) {
        for (const { groupId, head } of groups) if (byGroup.has(groupId)) tracker.track(groupId, head)
      },
      onEnd(session) {
        index.moves++
        removeFromGroups(session)
        groupsOf.delete(session)
        connections.delete(session)
        const agentId = session.agentId()
        if (agentId && byAgent.get(agentId) === session) byAgent.delete(agentId)
      },
    },
  }
  return index
}
