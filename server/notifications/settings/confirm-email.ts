import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { emailCodeInvalid } from '../errors.ts'
import { hashEmailCode } from './hash-email-code.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

const maxCodeFailures = 5

/**
 * Confirms the person's address with the mailed code. After five wrong codes a new one is needed.
 * @throws auth.required, permission.denied, request.malformed for a wrong code
 */
export async function confirmEmail(ctx: Context, { code }: { readonly code: string }): Promise<void> {
  const { did } = requireSettingsOwner(ctx)
  const isConfirmed = await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now()
    // One statement counts the attempt and reads the code, so that concurrent attempts cannot exceed the limit.
    const [waiting] = await tx.db.notificationSetting.updateManyAndReturn({
      where: { personId: did, codeHash: { not: null }, codeExpiresAt: { gt: now }, codeFailures: { lt: maxCodeFailures } },
      data: { codeFailures: { increment: 1 } },
    })
    if (waiting?.codeHash !== hashEmailCode(did, code)) return false
    await tx.db.notificationSetting.update({
      where: { personId: did },
      data: { emailConfirmedAt: now, emailConfirmedByMail: tx.ports.mail !== null, codeHash: null, codeExpiresAt: null, codeFailures: 0 },
    })
    await appendAudit(tx, { stream: did, action: 'notification_email.confirm' })
    return true
  })
  // Thrown after the commit, which keeps the count of failures.
  if (!isConfirmed) throw emailCodeInvalid()
}
