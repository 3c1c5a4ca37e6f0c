import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { webhookMissing } from '../errors.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

/** The signing secret. Later requests do not return it. */
export type WebhookSecret = { readonly secret: string }

/** A new signing secret. */
export const createWebhookSecret = (ctx: Context): string => `whsec_${ctx.ids.secret()}`

/**
 * Replaces the signing secret. The former one is invalid at once.
 * @throws auth.required, permission.denied, request.malformed without a webhook
 */
export async function replaceWebhookSecret(ctx: Context): Promise<WebhookSecret> {
  const { did } = requireSettingsOwner(ctx)
  const secret = createWebhookSecret(ctx)
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notificationSetting.updateMany({
      where: { personId: did, webhookUrl: { not: null } },
      data: { webhookSecret: secret },
    })
    if (count === 0) throw webhookMissing()
    await appendAudit(tx, { stream: did, action: 'notification_secret.replace' })
  })
  return { secret }
}
