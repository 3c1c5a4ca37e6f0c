import { createHash, randomInt } from 'node:crypto'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { emailCodesExhausted } from '../errors.ts'
import { inboxKinds } from '../inbox/read-person-inbox.ts'
import { composeCodeMail } from '../mail/compose-mail.ts'
import { deliverMail } from '../mail/deliver-mail.ts'
import { isEmailConfirmed } from './active-notification-events.ts'
import { hashEmailCode } from './hash-email-code.ts'
import { requireSettingsOwner, type SettingsOwner } from './require-settings-owner.ts'

const codeMinutes = 15
/** Codes within an hour: by one person, and to one address by all people. */
const maxCodesPerHour = 5
const hourMs = 3_600_000

/** `isSent`: whether a code was handed to the mail server or the local outbox. */
export type SetEmailResult = { readonly is_confirmed: boolean; readonly is_sent: boolean }

/**
 * Sets the person's address, which is unconfirmed until the mailed code is entered. The same address again: mails a new code.
 * @throws auth.required, permission.denied, rate.exceeded
 */
export async function setEmail(ctx: Context, { email }: { readonly email: string }): Promise<SetEmailResult> {
  const owner = requireSettingsOwner(ctx)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const mailId = await inTransaction(ctx, (tx) => storeCode(tx, owner, { email, code }))
  if (mailId === null) return { is_confirmed: true, is_sent: false }
  try {
    await deliverMail(ctx, owner.did, {
      ...{ id: mailId, to: email, unsubscribeUrl: null },
      ...composeCodeMail({ code, minutes: codeMinutes }),
    })
    return { is_confirmed: false, is_sent: true }
  } catch (error) {
    ctx.log.warn({ event: 'notification.code_not_sent', err: error, id: mailId }, 'A confirmation code was not sent.')
    const data = { state: 'dead', error: 'The mail server did not take the mail.' }
    await ctx.db.notification.update({ where: { id: mailId }, data })
    return { is_confirmed: false, is_sent: false }
  }
}

/** What addresses of one mailbox have in common: `name+tag@host` is a way to write `name@host`, and Gmail ignores dots. */
function mailboxOf(email: string): string {
  const [local = '', host = ''] = email.toLowerCase().split('@')
  const [name = ''] = local.split('+')
  return host === 'gmail.com' || host === 'googlemail.com' ? `${name.replaceAll('.', '')}@gmail.com` : `${name || local}@${host}`
}

/** The id of the mail with the code; null if the address is confirmed. */
async function storeCode(tx: Context, { did }: SettingsOwner, { email, code }: { email: string; code: string }): Promise<string | null> {
  const now = tx.clock.now()
  const addressHash = createHash('sha256').update(mailboxOf(email)).digest('hex')
  // Two concurrent requests would both find the last free place.
  for (const key of [did, addressHash].sort())
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`email-code:${key}`}, 0))`
  const setting = await tx.db.notificationSetting.findUnique({ where: { personId: did } })
  const isSame = setting?.email === email
  if (setting && isSame && isEmailConfirmed(setting, tx.ports.mail !== null)) return null
  const recent = { event: 'code', createdAt: { gt: new Date(now.getTime() - hourMs) } }
  const sent = await tx.db.notification.findMany({
    where: { ...recent, OR: [{ personId: did }, { itemId: addressHash }] },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  })
  if (sent.length >= maxCodesPerHour) throw emailCodesExhausted(secondsUntilFree(sent, now))
  const data = {
    ...{ email, emailConfirmedAt: null, emailConfirmedByMail: false },
    ...{ codeHash: hashEmailCode(did, code), codeExpiresAt: new Date(now.getTime() + codeMinutes * 60_000), codeFailures: 0 },
  }
  const created = { personId: did, emailEvents: [...inboxKinds], webhookEvents: [...inboxKinds], checkedAt: now }
  await tx.db.notificationSetting.upsert({ where: { personId: did }, create: { ...created, ...data }, update: data })
  const id = tx.ids.uuid()
  await tx.db.notification.create({
    data: {
      ...{ id, personId: did, channel: 'email', event: 'code', subject: id, itemId: addressHash, state: 'sent', attempts: 1 },
      ...{ nextAttemptAt: now, createdAt: now, finishedAt: now },
    },
  })
  // Without the address: the audit log cannot be erased.
  await appendAudit(tx, { stream: did, action: 'notification_email.set' })
  return id
}

function secondsUntilFree(sent: readonly { readonly createdAt: Date }[], now: Date): number {
  const oldest = sent.at(-maxCodesPerHour)?.createdAt ?? now
  return Math.max(1, Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1_000))
}
