import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Packs } from '../codec/packed-encoder.ts'
import type { Subscriber } from '../fanout/fan-out.ts'
import type { Recent } from '../fanout/replay-buffer.ts'
import type { Intake } from './inbound-limits.ts'

/** One agent's connection, as the hub knows it. */
export type Session = Subscriber & {
  agentId(): string | null
  /** The name that its agent has proved, once it has. */
  did(): string | null
  fence(): void
  /**
   * Takes nothing more, finishes what is in hand for a bounded time, and asks the agent to come again after a random part of
   * `spreadMs`, so that not all of a hub's agents come at the same moment.
   */
  leave(spreadMs: number): Promise<void>
  /** Settles when the socket is gone and what that means is written down. */
  readonly ended: Promise<void>
}

export type SessionEvents = {
  onAgent(session: Session, agentId: string): void
  onGroups(session: Session, groupIds: readonly string[]): void
  /** So far go its groups; it reads what it lacks of that by itself. */
  onHeads(groups: readonly { readonly groupId: string; readonly head: number }[]): void
  onEnd(session: Session): void
}

/** What the readers of all connections count together; see `HubFigures`. */
export type Tally = { pushed: number; fetched: number; slow: number; behind: number }

/** A WebSocket, the socket below it, the address it comes from, where its readers count, what bounds its incomplete messages, what packed connections share, and what was just given out. */
export type Line = {
  readonly socket: WebSocket
  readonly raw: Duplex
  readonly source: string
  readonly tally: Tally
  readonly intake: Intake
  readonly packs: Packs
  readonly recent: Recent
}
