import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

/**
 * Removes the person's address, and its mails in the local outbox.
 * @throws auth.required, permission.denied
 */
export async function removeEmail(ctx: Context): Promise<void> {
  const { did } = requireSettingsOwner(ctx)
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notificationSetting.updateMany({
      where: { personId: did, email: { not: null } },
      data: { email: null, emailConfirmedAt: null, emailConfirmedByMail: false, codeHash: null, codeExpiresAt: null },
    })
    await tx.db.outboxMail.deleteMany({ where: { personId: did } })
    if (count > 0) await appendAudit(tx, { stream: did, action: 'notification_email.remove' })
  })
}
