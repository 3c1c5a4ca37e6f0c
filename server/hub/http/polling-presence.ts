import type { Context } from '../../context.ts'
import { markOfflineUnlessSeen, markOnline, markSeen } from '../../registry/index.ts'

/** The connection id of an agent that polls. */
const httpConnection = 'http'
/** How long an agent counts as online after its last poll has ended. */
export const defaultPollingGraceMs = 12_000

export type PollingPresence = {
  /** Marks the agent online. The returned function ends the poll; without another one the agent is offline after the grace period. */
  beginPoll(ctx: Context, agentId: string): Promise<() => void>
  /** Ends all timers. */
  close(): void
}

type PolledAgent = { open: number; timer: NodeJS.Timeout | null; seenAt: Date }

/** Presence of agents without a connection. A process that was killed sends nothing; its missing poll shows it. */
export function createPollingPresence(graceMs: number = defaultPollingGraceMs): PollingPresence {
  const agents = new Map<string, PolledAgent>()
  const expire = (ctx: Context, agentId: string, seenAt: Date): void => {
    agents.delete(agentId)
    markOfflineUnlessSeen(ctx, { agentId, connection: httpConnection, seenAt }).catch((error: unknown) =>
      ctx.log.warn({ event: 'presence.polling_end_write_failed', err: error }, 'The offline presence of a polling agent was not stored.'),
    )
  }
  return {
    async beginPoll(ctx, agentId) {
      const polled = agents.get(agentId) ?? { open: 0, timer: null, seenAt: ctx.clock.now() }
      agents.set(agentId, polled)
      if (polled.timer) clearTimeout(polled.timer)
      polled.timer = null
      polled.open++
      const endPoll = (): void => {
        polled.open--
        if (polled.open > 0) return
        polled.timer = setTimeout(() => expire(ctx, agentId, polled.seenAt), graceMs)
        polled.timer.unref()
      }
      try {
        if (!(await markSeen(ctx, agentId, httpConnection))) await markOnline(ctx, agentId, httpConnection)
      } catch (error) {
        endPoll()
        throw error
      }
      // At least the stored time: a later one is of another hub's poll.
      polled.seenAt = ctx.clock.now()
      return endPoll
    },
    close() {
      for (const { timer } of agents.values()) if (timer) clearTimeout(timer)
      agents.clear()
    },
  }
}
