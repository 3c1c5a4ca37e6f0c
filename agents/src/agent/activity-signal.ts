import type { Session } from '../client/client.ts'

/** What rings while nobody waits is heard by who waits next: nothing that is looked at before waiting is missed. */
export type Bell = {
  /** Until something was said in these rooms, or so many milliseconds have passed. @throws where `signal` is aborted */
  rest(ms: number): Promise<void>
  stop(): void
}

/** Rings with each message of these rooms, with a connection that is there again, and when the session ends. */
export function createBell(session: Pick<Session, 'on'>, groups: readonly string[], signal?: AbortSignal): Bell {
  let hasRung = false
  let wake = () => {}
  const ring = () => {
    hasRung = true
    wake()
  }
  const offs = [
    session.on('message', ({ envelope }) => {
      if (groups.includes(envelope.group_id)) ring()
    }),
    session.on('online', ring),
    session.on('end', ring),
  ]
  signal?.addEventListener('abort', ring)
  return {
    async rest(ms) {
      signal?.throwIfAborted()
      if (!hasRung) {
        let timer: ReturnType<typeof setTimeout> | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, Math.max(0, ms))
        })
        clearTimeout(timer)
      }
      hasRung = false
      signal?.throwIfAborted()
    },
    stop() {
      for (const off of offs) off()
      signal?.removeEventListener('abort', ring)
      ring()
    },
  }
}
