const everyMs = 250
/** Less than others wait for a hub that is silent, so that what they gave up it doesn't take up any more. */
const stoodStillMs = 1_000

/** Whether this process has been running all along: one that was stopped, or slept, comes back to a world that went on. */
export type Awake = { is(): boolean; close(): void }

export function createAwake(now: () => number = () => performance.now()): Awake {
  let seen = now()
  const timer = setInterval(() => {
    seen = now()
  }, everyMs)
  timer.unref()
  return { is: () => now() - seen < stoodStillMs, close: () => clearInterval(timer) }
}
