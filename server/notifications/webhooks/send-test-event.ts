import type { Context } from '../../context.ts'
import { webhookMissing } from '../errors.ts'
import { notificationLeaseMs } from '../queue/notification-retry-policy.ts'
import { attemptNotification } from '../queue/send-due-notifications.ts'
import { requireSettingsOwner } from '../settings/require-settings-owner.ts'

/** `error`: why the receiver did not take it, in one sentence; null if it did. */
export type TestEventResult = { readonly status: number | null; readonly error: string | null }

/**
 * Posts an event of type `test` to the person's webhook, and waits for the response.
 * @throws auth.required, permission.denied, request.malformed without a webhook
 */
export async function sendTestEvent(ctx: Context): Promise<TestEventResult> {
  const { did } = requireSettingsOwner(ctx)
  const setting = await ctx.db.notificationSetting.findUnique({ where: { personId: did } })
  if (!setting?.webhookUrl) throw webhookMissing()
  const id = ctx.ids.uuid()
  const now = ctx.clock.now()
  // Under a lease from the beginning, so that no job sends it too.
  const lease = new Date(now.getTime() + notificationLeaseMs)
  const created = await ctx.db.notification.create({
    data: {
      ...{ id, personId: did, channel: 'webhook', event: 'test', subject: id, state: 'pending', attempts: 1 },
      ...{ nextAttemptAt: lease, createdAt: now },
    },
  })
  const sent = await attemptNotification(ctx, created)
  return { status: sent?.status ?? null, error: sent?.error ?? null }
}
