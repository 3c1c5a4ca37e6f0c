import type { WebhookResult } from '../../ports.ts'
import type { InboxItem } from '../inbox/read-person-inbox.ts'

/** `canceled`: the person turned the channel or the event off before it was sent. `dead`: the dead letter. */
export type NotificationState = 'pending' | 'sent' | 'dead' | 'canceled'

export const maxNotificationAttempts = 8
/** Longer than every attempt, so that a second process never sends while the first does. */
export const notificationLeaseMs = 60_000
const firstDelayMs = 60_000
const maxDelayMs = 6 * 3_600_000
/** Who posts a goal signs at once. A mail is for those who forgot. */
const fundGraceMs = 15 * 60_000

/** The delay before the next attempt, by exponential back-off: 1, 3, 9, 27, 81 and 243 minutes, then 6 hours. Milliseconds. */
export function notificationRetryDelay(attempts: number): number {
  return Math.min(firstDelayMs * 3 ** (attempts - 1), maxDelayMs)
}

/** Whether an item has waited long enough for a notification. */
export function isDueItem({ kind, postedAt }: Pick<InboxItem, 'kind' | 'postedAt'>, now: Date): boolean {
  return kind !== 'fund' || now.getTime() - Date.parse(postedAt) >= fundGraceMs
}

/** What an attempt changes in the row. */
export type AttemptOutcome = WebhookResult & {
  readonly state: NotificationState
  readonly nextAttemptAt: Date
  readonly finishedAt: Date | null
}

/** A test has one attempt, because its sender waits for the result. */
export function settleAttempt(
  { event, attempts }: { readonly event: string; readonly attempts: number },
  result: WebhookResult,
  now: Date,
): AttemptOutcome {
  const isLast = event === 'test' || attempts >= maxNotificationAttempts
  const state = result.error === null ? 'sent' : isLast ? 'dead' : 'pending'
  return {
    ...result,
    state,
    nextAttemptAt: state === 'pending' ? new Date(now.getTime() + notificationRetryDelay(attempts)) : now,
    finishedAt: state === 'pending' ? null : now,
  }
}
