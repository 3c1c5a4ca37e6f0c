const initialDelayMs = 2_000
const maxDelayMs = 600_000

/** Delay before the next attempt: exponential backoff with factor 4, at most ten minutes. */
export function retryDelayMs(attempt: number): number {
  return Math.min(initialDelayMs * 4 ** (attempt - 1), maxDelayMs)
}

/** A later retry time comes from a process with a wrong clock. */
export function maxRetryAt(now: Date): Date {
  return new Date(now.getTime() + maxDelayMs)
}
