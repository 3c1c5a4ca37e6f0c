import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { unsubscribeLinkInvalid } from '../errors.ts'
import { isUnsubscribeToken, personOfToken } from './unsubscribe-token.ts'

/**
 * Turns off all mails about events to the address that the token names. Needs no login: the signed token is the permission. A repeated
 * request has no further effect.
 * @throws auth.signature_invalid for a token that the server did not sign, or for a former address
 */
export async function unsubscribe(ctx: Context, { token }: { readonly token: string }): Promise<void> {
  const personId = personOfToken(token)
  const setting = personId === null ? null : await ctx.db.notificationSetting.findUnique({ where: { personId } })
  if (personId === null || !setting?.email || !(await isUnsubscribeToken(ctx, token, { personId, email: setting.email })))
    throw unsubscribeLinkInvalid()
  await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.notificationSetting.updateMany({
      where: { personId, email: setting.email, emailEvents: { isEmpty: false } },
      data: { emailEvents: [] },
    })
    if (count > 0) await appendAudit(tx, { stream: personId, action: 'notification_email.unsubscribe' })
  })
}
