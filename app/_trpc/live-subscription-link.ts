/**
 * Live data in many tabs. Under HTTP/1.1 a browser opens six connections to one host, and an open stream holds one of them. So six streams
 * would block every request of every other tab. Hence these rules, for each subscription of a page:
 *
 * 1. A tab has a stream only while it is shown. Hidden, it closes the stream; shown again, it resumes after its last event.
 * 2. All tabs together have at most three streams: each holds one of three named locks, which the browser frees with the tab.
 * 3. A tab without a lock polls every few seconds, with a stream that ends after the current events. One more lock lets only
 *    one tab poll at a time. Before each poll it tries to get a lock again.
 *
 * So at least two connections are free. The server ends a stream because of its age, or because its login has ended. Then the tab opens it
 * again for the person who is signed in. No tab depends on another one.
 */
import type { Operation, TRPCClientError, TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '@/server/trpc/app-router.ts'

const maxStreams = 3
const againMs = 4_000
/** The timeout of one poll, after which the next tab polls. */
const questionMs = 10_000

type Failure = TRPCClientError<AppRouter>
/** One stream, or one poll if `once` is set. Resolves at its end, and when `until` is aborted. */
type Run = (once: boolean, until: AbortSignal) => Promise<void>

/** `stream`: the link that opens a stream. */
export function liveSubscriptionLink(stream: TRPCLink<AppRouter>): TRPCLink<AppRouter> {
  return (runtime) => {
    const open = stream(runtime)
    return ({ op, next }) =>
      observable((observer) => {
        const ended = new AbortController()
        let lastEventId: string | undefined
        const run: Run = (once, until) =>
          new Promise((resolve, reject) => {
            const asked: Operation = { ...op, input: { ...(op.input as object), once, ...(lastEventId && { lastEventId }) } }
            const subscription = open({ op: asked, next }).subscribe({
              next(message) {
                const { result } = message
                if ('id' in result && result.id !== undefined) lastEventId = String(result.id)
                if (result.type !== 'stopped' && !(result.type === 'state' && result.state !== 'pending')) observer.next(message)
              },
              error: reject,
              complete: resolve,
            })
            until.addEventListener('abort', () => {
              subscription.unsubscribe()
              resolve()
            })
          })
        keepRunning(run, ended.signal).catch((error: Failure) => observer.error(error))
        return () => ended.abort()
      })
  }
}

/** Ends with `ended`, and with a failure for which a retry cannot help. */
async function keepRunning(run: Run, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await untilShown(ended)
    const away = new AbortController()
    const leave = () => document.hidden && away.abort()
    document.addEventListener('visibilitychange', leave)
    try {
      const until = AbortSignal.any([ended, away.signal])
      if (!(await runWithPlace(() => run(false, until)))) await runInLine(() => run(true, AbortSignal.any([until, limitOf(questionMs)])))
      await pause(againMs, until)
    } catch (error) {
      const waitMs = waitOf(error as Failure)
      if (waitMs === null) throw error
      await pause(waitMs, ended)
    } finally {
      document.removeEventListener('visibilitychange', leave)
    }
  }
}

/** False if all locks are taken. */
async function runWithPlace(work: () => Promise<void>): Promise<boolean> {
  if (!('locks' in navigator)) return false
  for (let place = 1; place <= maxStreams; place++) {
    const isRun = await navigator.locks.request(`parley-stream-${place}`, { ifAvailable: true }, async (lock) => {
      if (lock) await work()
      return lock !== null
    })
    if (isRun) return true
  }
  return false
}

/** Without the Locks API, on an insecure origin, each tab polls alone. */
async function runInLine(work: () => Promise<void>): Promise<void> {
  await ('locks' in navigator ? navigator.locks.request('parley-question', work) : work())
}

const limitOf = (ms: number) => AbortSignal.timeout(ms)

function untilShown(ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !ended.aborted) return
      document.removeEventListener('visibilitychange', look)
      ended.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    ended.addEventListener('abort', look)
    look()
  })
}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      until.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    until.addEventListener('abort', end)
  })
}

/** The delay before a retry; null if the request itself was refused. */
function waitOf({ data }: Failure): number | null {
  if (!data) return againMs
  if (data.httpStatus === 429) return Math.max(againMs, (data.problem.retry_after ?? 0) * 1_000)
  return data.httpStatus >= 500 ? againMs : null
}
