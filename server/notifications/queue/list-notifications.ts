import type { Notification } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { requireOperator } from '../../policy/index.ts'
import { inboxKinds } from '../inbox/read-person-inbox.ts'
import { requireSettingsOwner } from '../settings/require-settings-owner.ts'
import type { NotificationState } from './notification-retry-policy.ts'

const pageSize = 50

export type NotificationView = {
  readonly id: string
  readonly channel: string
  /** An event of the inbox, `test`, or `code` for a confirmation code. */
  readonly event: string
  /** Null for a demand, a test and a code. */
  readonly goal_id: string | null
  readonly state: NotificationState
  readonly attempts: number
  /** The HTTP status of the last attempt. */
  readonly status: number | null
  readonly error: string | null
  readonly created_at: string
  /** When the next attempt is due; null if none is. */
  readonly next_attempt_at: string | null
}
export type DeadNotificationView = NotificationView & { readonly person_id: string }

/**
 * The person's last deliveries, newest first.
 * @throws auth.required, permission.denied
 */
export async function listNotifications(ctx: Context): Promise<NotificationView[]> {
  const { did } = requireSettingsOwner(ctx)
  const rows = await ctx.db.notification.findMany({
    where: { personId: did },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: pageSize,
  })
  return rows.map(viewOf)
}

/**
 * For operators: dead letters of everyone, newest first, without addresses and texts.
 * @throws permission.denied
 */
export async function listDeadNotifications(ctx: Context): Promise<DeadNotificationView[]> {
  requireOperator(ctx, 'notifications.listDead')
  const where = { state: 'dead', event: { in: [...inboxKinds] } }
  const rows = await ctx.db.notification.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: pageSize })
  // The id of a private goal is for those who may read it.
  return rows.map((row) => ({ ...viewOf(row), goal_id: null, person_id: row.personId }))
}

/** The view of one row. */
export function viewOf(row: Notification): NotificationView {
  const { id, channel, event, itemId, attempts, status, error, createdAt, nextAttemptAt } = row
  const state = row.state as NotificationState
  return {
    ...{ id, channel, event, state, attempts, status, error },
    goal_id: event === 'demand' || event === 'code' ? null : itemId,
    created_at: createdAt.toISOString(),
    next_attempt_at: state === 'pending' ? nextAttemptAt.toISOString() : null,
  }
}
