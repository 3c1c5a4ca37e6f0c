import type { Notification } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { deliverNotification } from './deliver-notification.ts'
import { maxNotificationAttempts, notificationLeaseMs, settleAttempt } from './notification-retry-policy.ts'

/** At a time in one process; and of one person, so that a slow receiver does not delay everyone. */
const maxConcurrent = 8
const maxPerPerson = 2

/**
 * Sends those that are due, in parallel. Each is under a lease, so that only one process sends it. After the death of that process
 * another one repeats the attempt. Returns how many were attempted.
 */
export async function sendDueNotifications(ctx: Context): Promise<number> {
  const claimed = await claimDue(ctx)
  await Promise.all(claimed.map((notification) => attemptNotification(ctx, notification)))
  return claimed.length
}

async function claimDue({ db, clock }: Context): Promise<Notification[]> {
  const now = clock.now()
  const lease = new Date(now.getTime() + notificationLeaseMs)
  return db.$queryRaw<Notification[]>`
    with "ranked" as (
      select "id", row_number() over (partition by "personId" order by "nextAttemptAt", "id") as "place"
      from "notification" where "state" = 'pending' and "nextAttemptAt" <= ${now}
    ), "due" as materialized (
      select n."id" from "notification" n
      where n."state" = 'pending' and n."nextAttemptAt" <= ${now}
        and n."id" in (select "id" from "ranked" where "place" <= ${maxPerPerson})
      order by n."nextAttemptAt" limit ${maxConcurrent} for update skip locked
    )
    update "notification" n set "attempts" = n."attempts" + 1, "nextAttemptAt" = ${lease}
    from "due" where n."id" = "due"."id" returning n.*`
}

/** One attempt under the caller's lease. Returns the row afterwards; null if another process has taken the lease in the meantime. */
export async function attemptNotification(ctx: Context, notification: Notification): Promise<Notification | null> {
  const { id, attempts } = notification
  const result = await attemptOnce(ctx, notification)
  const outcome =
    result === 'canceled'
      ? { state: 'canceled', status: null, error: null, nextAttemptAt: ctx.clock.now(), finishedAt: ctx.clock.now() }
      : settleAttempt(notification, result, ctx.clock.now())
  // The number of attempts is the fencing token of the lease.
  const [saved] = await ctx.db.notification.updateManyAndReturn({ where: { id, attempts, state: 'pending' }, data: outcome })
  if (saved?.state === 'dead')
    ctx.log.warn({ event: 'notification.dead', id, channel: saved.channel, status: saved.status }, 'A notification could not be sent.')
  return saved ?? null
}

async function attemptOnce(ctx: Context, notification: Notification): ReturnType<typeof deliverNotification> {
  if (notification.attempts > maxNotificationAttempts) return { status: null, error: 'The server ended during the last attempt.' }
  try {
    return await deliverNotification(ctx, notification)
  } catch (error) {
    ctx.log.warn({ event: 'notification.attempt_failed', err: error, id: notification.id }, 'An attempt to send a notification failed.')
    return { status: null, error: notification.channel === 'email' ? 'The mail server did not take the mail.' : 'The server had an error.' }
  }
}
