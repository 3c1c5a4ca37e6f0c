import type { Context } from '../../context.ts'
import { markManySeen } from '../../registry/index.ts'

/** The heartbeat of a connection. `fence`: called if another connection has replaced it. */
export type Heartbeat = { readonly agentId: string; readonly connection: string; fence(): void }

/** Writes the heartbeats of all connections in batches. Heartbeats that arrive during a write go into the next one. */
export type PresenceWriter = { noteHeartbeat(alive: Heartbeat): void }

/** The delay that collects a batch. Presence is shown in minutes, so it may be late. */
const batchDelayMs = 500

export function createPresenceWriter(ctx: Context): PresenceWriter {
  let waiting = new Map<string, Heartbeat>()
  let isWriting = false

  async function write(): Promise<void> {
    isWriting = true
    while (waiting.size > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, batchDelayMs).unref()
      })
      const seen = [...waiting.values()]
      waiting = new Map()
      try {
        for (const lost of await markManySeen(ctx, seen)) lost.fence()
      } catch (error) {
        // The next heartbeat repeats the write.
        ctx.log.warn({ event: 'presence.write_failed', err: error, agents: seen.length }, 'The presence of agents was not stored.')
      }
    }
    isWriting = false
  }

  return {
    noteHeartbeat(alive) {
      waiting.set(alive.agentId, alive)
      if (!isWriting) void write()
    },
  }
}
