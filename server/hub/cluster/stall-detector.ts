const everyMs = 250
/** Less than others wait for a hub that is silent, so that what they gave up it doesn't take up any more. */
const stallMs = 1_000

/** Whether this process has been running all along: one that was stopped, or slept, comes back to a world that went on. */
export type StallDetector = { isResponsive(): boolean; close(): void }

export function createStallDetector(now: () => number = () => performance.now()): StallDetector {
  let seen = now()
  const timer = setInterval(() => {
    seen = now()
  }, everyMs)
  timer.unref()
  return { isResponsive: () => now() - seen < stallMs, close: () => clearInterval(timer) }
}
