import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Subscriber } from '../fanout/fan-out.ts'
import type { ReplayBuffer } from '../fanout/replay-buffer.ts'
import type { InboundLimits } from './incomplete-message-limits.ts'

/** One agent's connection, as the hub sees it. */
export type AgentConnection = Subscriber & {
  agentId(): string | null
  /** The DID of the agent after authentication. */
  did(): string | null
  fence(): void
  /**
   * Finishes frames in flight within a time limit and asks the agent to reconnect.
   * The delay is random within `spreadMs`, so that the agents of a hub do not reconnect at the same moment.
   */
  drain(spreadMs: number): Promise<void>
  /** Resolves when the socket is closed and the presence is written. */
  readonly ended: Promise<void>
}

export type ConnectionEvents = {
  onAgent(session: AgentConnection, agentId: string): void
  onRooms(session: AgentConnection, roomIds: readonly string[]): void
  /** The heads of its rooms. The connection reads older messages from the log. */
  onHeads(rooms: readonly { readonly roomId: string; readonly head: number }[]): void
  onEnd(session: AgentConnection): void
}

/** Counters over all connections; see `HubMetrics`. */
export type DeliveryCounters = { pushed: number; fetched: number; slow: number; behind: number }

/** A WebSocket, its raw socket and source address, and what all connections of the hub share. */
export type ConnectionContext = {
  readonly socket: WebSocket
  readonly raw: Duplex
  readonly source: string
  readonly counters: DeliveryCounters
  readonly inboundLimits: InboundLimits
  readonly replayBuffer: ReplayBuffer
}
