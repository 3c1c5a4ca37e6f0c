import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

/** Removes the person's webhook and its signing secret. @throws auth.required, permission.denied */
export async function removeWebhook(ctx: Context): Promise<void> {
  const { did } = requireSettingsOwner(ctx)
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notificationSetting.updateMany({
      where: { personId: did, webhookUrl: { not: null } },
      data: { webhookUrl: null, webhookSecret: null },
    })
    if (count > 0) await appendAudit(tx, { stream: did, action: 'notification_webhook.remove' })
  })
}
