import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { type InboxKind, inboxKinds } from '../inbox/read-person-inbox.ts'
import type { NotificationChannel } from './active-notification-events.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

export type EventChoice = { readonly channel: NotificationChannel; readonly events: readonly InboxKind[] }

/**
 * Sets which events a channel sends. All others are off.
 * @throws auth.required, permission.denied
 */
export async function chooseNotificationEvents(ctx: Context, { channel, events }: EventChoice): Promise<void> {
  const { did } = requireSettingsOwner(ctx)
  const chosen = inboxKinds.filter((kind) => events.includes(kind))
  const data = channel === 'email' ? { emailEvents: chosen } : { webhookEvents: chosen }
  await inTransaction(ctx, async (tx) => {
    const created = { personId: did, emailEvents: [...inboxKinds], webhookEvents: [...inboxKinds], checkedAt: tx.clock.now() }
    await tx.db.notificationSetting.upsert({ where: { personId: did }, create: { ...created, ...data }, update: data })
    await appendAudit(tx, { stream: did, action: 'notification_events.choose', after: { channel, events: chosen } })
  })
}
