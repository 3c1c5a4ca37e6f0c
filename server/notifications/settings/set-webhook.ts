import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { webhookUrlRefused } from '../errors.ts'
import { inboxKinds } from '../inbox/read-person-inbox.ts'
import { createWebhookSecret, type WebhookSecret } from './replace-webhook-secret.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

/**
 * Sets the person's webhook, with a new signing secret, because a former receiver knows the former one.
 * @throws auth.required, permission.denied, request.malformed for a URL that is not public
 */
export async function setWebhook(ctx: Context, { url }: { readonly url: string }): Promise<WebhookSecret> {
  const { did } = requireSettingsOwner(ctx)
  const fault = ctx.ports.webhooks.findUrlFault(url)
  if (fault !== null) throw webhookUrlRefused(fault)
  const secret = createWebhookSecret(ctx)
  const data = { webhookUrl: url, webhookSecret: secret }
  await inTransaction(ctx, async (tx) => {
    const created = { personId: did, emailEvents: [...inboxKinds], webhookEvents: [...inboxKinds], checkedAt: tx.clock.now() }
    await tx.db.notificationSetting.upsert({ where: { personId: did }, create: { ...created, ...data }, update: data })
    await appendAudit(tx, { stream: did, action: 'notification_webhook.set' })
  })
  return { secret }
}
