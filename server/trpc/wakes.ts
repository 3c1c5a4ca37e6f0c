import type { Wake, WakeListener } from '../wake.ts'

/** A silent stream looks again by itself, because signals are sent at most once. */
const lookAgainMs = 15_000

/**
 * Yields at once, and then whenever there may be something new to read: at a signal that matches, at a lost and found
 * connection, and after a while of silence. Signals that come while the reader works are one.
 */
export async function* wakesOf(
  listener: WakeListener,
  isMine: (signal: Wake) => boolean,
  abort: AbortSignal | undefined,
  silenceMs = lookAgainMs,
): AsyncGenerator<void> {
  let isDue = true
  let ring = () => {}
  const wakeUp = () => {
    isDue = true
    ring()
  }
  const off = listener.on((signal) => {
    if (signal === 'reconnected' || isMine(signal)) wakeUp()
  })
  abort?.addEventListener('abort', wakeUp)
  try {
    while (!abort?.aborted) {
      if (isDue) {
        isDue = false
        yield
        continue
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wakeUp, silenceMs)
        ring = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    off()
    abort?.removeEventListener('abort', wakeUp)
    ring()
  }
}
