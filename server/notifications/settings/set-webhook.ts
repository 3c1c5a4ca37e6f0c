import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { webhookMissing, webhookUrlRefused } from '../errors.ts'
import { inboxKinds } from '../inbox/read-inbox.ts'
import { requireSettingsOwner } from './settings-owner.ts'

/** The signing secret. Later requests do not return it. */
export type WebhookSecret = { readonly secret: string }

const createSecret = (ctx: Context) => `whsec_${ctx.ids.secret()}`

/**
 * Sets the person's webhook, with a new signing secret, because a former receiver knows the former one.
 * @throws auth.required, permission.denied, request.malformed for a URL that is not public
 */
export async function setWebhook(ctx: Context, { url }: { readonly url: string }): Promise<WebhookSecret> {
  const { did } = requireSettingsOwner(ctx)
  const fault = ctx.ports.webhooks.findUrlFault(url)
  if (fault !== null) throw webhookUrlRefused(fault)
  const secret = createSecret(ctx)
  const data = { webhookUrl: url, webhookSecret: secret }
  await inTransaction(ctx, async (tx) => {
    const created = { personId: did, emailEvents: [...inboxKinds], webhookEvents: [...inboxKinds], checkedAt: tx.clock.now() }
    await tx.db.notificationSetting.upsert({ where: { personId: did }, create: { ...created, ...data }, update: data })
    await appendAudit(tx, { chain: did, action: 'notification_webhook.set' })
  })
  return { secret }
}

/**
 * Replaces the signing secret. The former one is invalid at once.
 * @throws auth.required, permission.denied, request.malformed without a webhook
 */
export async function replaceWebhookSecret(ctx: Context): Promise<WebhookSecret> {
  const { did } = requireSettingsOwner(ctx)
  const secret = createSecret(ctx)
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notificationSetting.updateMany({
      where: { personId: did, webhookUrl: { not: null } },
      data: { webhookSecret: secret },
    })
    if (count === 0) throw webhookMissing()
    await appendAudit(tx, { chain: did, action: 'notification_secret.replace' })
  })
  return { secret }
}

/** @throws auth.required, permission.denied */
export async function removeWebhook(ctx: Context): Promise<void> {
  const { did } = requireSettingsOwner(ctx)
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notificationSetting.updateMany({
      where: { personId: did, webhookUrl: { not: null } },
      data: { webhookUrl: null, webhookSecret: null },
    })
    if (count > 0) await appendAudit(tx, { chain: did, action: 'notification_webhook.remove' })
  })
}
