const initialDelayMs = 2_000
const maxDelayMs = 600_000

/** How long after the n-th attempt's failure the next one begins: four times as long each time, ten minutes at most. */
export function retryDelayMs(attempt: number): number {
  return Math.min(initialDelayMs * 4 ** (attempt - 1), maxDelayMs)
}

/** What is to wait for longer was dated by a clock that was wrong. */
export function maxRetryAt(now: Date): Date {
  return new Date(now.getTime() + maxDelayMs)
}
