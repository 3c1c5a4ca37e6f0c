import type { Context } from '../../context.ts'
import { markSeenTogether } from '../../registry/index.ts'

/** A connection that is alive, and what is to be done where another one has taken over from it. */
export type Heartbeat = { readonly agentId: string; readonly connection: string; fence(): void }

/** Signs of life of all connections, written together: what comes in while one write is under way goes with the next. */
export type PresenceWriter = { noteHeartbeat(alive: Heartbeat): void }

/** So long the first one waits for others: presence is told in minutes. */
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
        for (const lost of await markSeenTogether(ctx, seen)) lost.fence()
      } catch (error) {
        // The next beat of each says the same again.
        ctx.log.warn({ err: error, agents: seen.length }, 'presence not written')
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
