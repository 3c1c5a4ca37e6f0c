import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { PackedEncoder } from '../codec/packed-encoder.ts'
import type { Subscriber } from '../fanout/fan-out.ts'
import type { ReplayBuffer } from '../fanout/replay-buffer.ts'
import type { InboundLimits } from './inbound-limits.ts'

/** One agent's connection, as the hub knows it. */
export type AgentConnection = Subscriber & {
  agentId(): string | null
  /** The name that its agent has proved, once it has. */
  did(): string | null
  fence(): void
  /**
   * Takes nothing more, finishes what is in hand for a bounded time, and asks the agent to come again after a random part of
   * `spreadMs`, so that not all of a hub's agents come at the same moment.
   */
  drain(spreadMs: number): Promise<void>
  /** Settles when the socket is gone and what that means is written down. */
  readonly ended: Promise<void>
}

export type ConnectionEvents = {
  onAgent(session: AgentConnection, agentId: string): void
  onGroups(session: AgentConnection, groupIds: readonly string[]): void
  /** So far go its groups; it reads what it lacks of that by itself. */
  onHeads(groups: readonly { readonly groupId: string; readonly head: number }[]): void
  onEnd(session: AgentConnection): void
}

/** What the readers of all connections count together; see `HubFigures`. */
export type DeliveryCounters = { pushed: number; fetched: number; slow: number; behind: number }

/** A WebSocket, the socket below it, the address it comes from, where its readers count, what bounds its incomplete messages, what packed connections share, and what was just given out. */
export type ConnectionContext = {
  readonly socket: WebSocket
  readonly raw: Duplex
  readonly source: string
  readonly counters: DeliveryCounters
  readonly inboundLimits: InboundLimits
  readonly packedEncoder: PackedEncoder
  readonly replayBuffer: ReplayBuffer
}
