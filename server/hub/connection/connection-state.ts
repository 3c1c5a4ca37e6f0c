import type { ServerFrame } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { toProblem } from '../../errors.ts'
import type { ConnectedAgent } from '../../registry/index.ts'
import type { AckWriter } from './ack-writer.ts'
import type { BatchedConnectionQueries } from './batched-connection-queries.ts'
import type { AgentConnection, ConnectionContext, ConnectionEvents } from './connection-types.ts'
import type { InFlightFrames } from './in-flight-frames.ts'
import type { InboundLimiter } from './incomplete-message-limits.ts'
import type { PresenceWriter } from './presence-writer.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** The batched writers that all connections share. `slowForMs`: how long a slow reader is tolerated. */
export type ConnectionServices = {
  readonly ackWriter: AckWriter
  readonly presence: PresenceWriter
  readonly store: BatchedConnectionQueries
  readonly slowForMs: number
}

/** The state of one agent's connection. */
export type ConnectionState = {
  readonly base: Context
  readonly context: ConnectionContext
  readonly events: ConnectionEvents
  readonly services: ConnectionServices
  /** The id of this connection in the agent's presence. */
  readonly connection: string
  /** The challenge that the agent signs. */
  readonly nonce: string
  readonly writer: WriteBuffer
  readonly inFlight: InFlightFrames
  readonly intake: InboundLimiter
  readonly self: AgentConnection
  /** The context of the agent after authentication. */
  ctx: Context
  agent: ConnectedAgent | null
  subscriptions: Subscriptions | null
  lastReceivedAt: number
  inFlightFrames: number
  queuedFrames: number
  queuedBytes: number
  /** Disconnected, fenced or closed by this hub: further frames are ignored. */
  isClosed: boolean
  /** Draining: frames in flight are finished, new ones are not accepted. */
  isDraining: boolean
  /** A promise chain that handles frames in sequence. */
  frameQueue: Promise<void>
  /** A promise chain of room refreshes. */
  refreshing: Promise<void>
  isRefreshDue: boolean
}

export const isOpen = ({ context: { socket } }: ConnectionState): boolean => socket.readyState === socket.OPEN

/** Sends a frame after everything that is buffered. */
export function send(state: ConnectionState, frame: ServerFrame): void {
  state.writer.flush()
  if (isOpen(state)) state.context.socket.send(JSON.stringify(frame))
}

/** Closes the socket with a reason. Frames that still arrive are ignored. */
export function disconnect(state: ConnectionState, code: number, reason: string): void {
  state.isClosed = true
  state.writer.flush()
  state.context.socket.close(code, reason)
  state.base.log.info({ event: 'connection.closed_by_hub', code, reason, agent: state.agent?.agentId }, 'The hub closed a connection.')
}

/** Reports an error to the agent. `id`: the frame that caused it; null if unknown. */
export function sendProblem(state: ConnectionState, id: string | number | null, error: unknown): void {
  const { base, agent } = state
  const problem = toProblem(error, base.ids.uuid())
  if (problem.code === 'server.internal_error')
    base.log.error(
      { event: 'command.failed', err: error, instance: problem.instance, agent: agent?.agentId },
      'A command failed with an unexpected error.',
    )
  send(state, { type: 'problem', id, problem })
}
