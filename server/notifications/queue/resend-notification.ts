import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { notificationNotFound } from '../errors.ts'
import { inboxKinds } from '../inbox/read-person-inbox.ts'
import { requireSettingsOwner } from '../settings/require-settings-owner.ts'

/**
 * Sends one of the person's own notifications again, with the same id. One that is still being sent continues unchanged.
 * @throws auth.required, permission.denied, request.not_found for one of another person
 */
export async function resendNotification(ctx: Context, { id }: { readonly id: string }): Promise<void> {
  const { did } = requireSettingsOwner(ctx)
  const own = { id, personId: did, event: { in: [...inboxKinds, 'test'] } }
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notification.updateMany({
      where: { ...own, state: { not: 'pending' } },
      data: { state: 'pending', attempts: 0, nextAttemptAt: tx.clock.now(), status: null, error: null, finishedAt: null },
    })
    if (count > 0) await appendAudit(tx, { stream: did, action: 'notification.resend', after: { id } })
    else if ((await tx.db.notification.count({ where: own })) === 0) throw notificationNotFound(id)
  })
}
