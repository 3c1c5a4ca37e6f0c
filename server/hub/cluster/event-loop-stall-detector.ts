const everyMs = 250
/** Shorter than `silenceTimeoutMs`, so that this process drops posts that a peer has given up on. */
const stallMs = 1_000

/** Detects stalls of the event loop: after a suspended process or machine, peers may have made other decisions. */
export type EventLoopStallDetector = { isResponsive(): boolean; close(): void }

export function createEventLoopStallDetector(now: () => number = () => performance.now()): EventLoopStallDetector {
  let seen = now()
  const timer = setInterval(() => {
    seen = now()
  }, everyMs)
  timer.unref()
  return { isResponsive: () => now() - seen < stallMs, close: () => clearInterval(timer) }
}
