const firstDelayMs = 2_000
const longestDelayMs = 600_000

/** How long after the n-th attempt's failure the next one begins: four times as long each time, ten minutes at most. */
export function retryDelayMs(attempt: number): number {
  return Math.min(firstDelayMs * 4 ** (attempt - 1), longestDelayMs)
}

/** What is to wait for longer was dated by a clock that was wrong. */
export function latestRetryAt(now: Date): Date {
  return new Date(now.getTime() + longestDelayMs)
}
