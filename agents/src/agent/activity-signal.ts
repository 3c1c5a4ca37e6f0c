import type { AgentSession } from '../session/agent-session.ts'

/** Auto-reset event: activity before `wait` ends the next `wait` at once, so a check before waiting misses nothing. */
export type ActivitySignal = {
  /** Resolves after activity, or after `ms` milliseconds. @throws the reason of `signal` if it is aborted */
  wait(ms: number): Promise<void>
  close(): void
}

/** Activity is a message in one of these rooms, a new connection, or the end of the session. */
export function createActivitySignal(session: Pick<AgentSession, 'on'>, rooms: readonly string[], signal?: AbortSignal): ActivitySignal {
  let isSet = false
  let wake = () => {}
  const set = () => {
    isSet = true
    wake()
  }
  const removers = [
    session.on('message', ({ envelope }) => {
      if (rooms.includes(envelope.room_id)) set()
    }),
    session.on('online', set),
    session.on('end', set),
  ]
  signal?.addEventListener('abort', set)
  return {
    async wait(ms) {
      signal?.throwIfAborted()
      if (!isSet) {
        let timer: ReturnType<typeof setTimeout> | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, Math.max(0, ms))
        })
        clearTimeout(timer)
      }
      isSet = false
      signal?.throwIfAborted()
    },
    close() {
      for (const remove of removers) remove()
      signal?.removeEventListener('abort', set)
      set()
    },
  }
}
