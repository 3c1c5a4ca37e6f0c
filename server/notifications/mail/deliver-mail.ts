import type { Context } from '../../context.ts'
import type { Mail } from '../../ports.ts'

/** Mails in the local outbox that a person can read. */
const maxShown = 50

/**
 * Hands a mail to the mail server, or stores it in the local outbox if the installation has none.
 * @throws {Error} if the mail server did not take the mail
 */
export async function deliverMail(ctx: Context, personId: string, mail: Mail): Promise<void> {
  if (ctx.ports.mail !== null) return ctx.ports.mail.send(mail)
  const { id, to: recipient, subject, text, html } = mail
  const row = { id, personId, recipient, subject, text, html, createdAt: ctx.clock.now() }
  // An attempt whose end was not recorded is repeated with the same id.
  await ctx.db.outboxMail.upsert({ where: { id }, create: row, update: {} })
}

export type OutboxMailView = {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly created_at: string
}

/** The person's own mails in the local outbox, newest first. Empty for everyone else. */
export async function listOutbox(ctx: Context): Promise<OutboxMailView[]> {
  if (ctx.actor.kind !== 'person' || ctx.actor.scopes !== undefined) return []
  const rows = await ctx.db.outboxMail.findMany({
    where: { personId: ctx.actor.did },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxShown,
  })
  return rows.map(({ id, recipient, subject, text, createdAt }) => ({ id, recipient, subject, text, created_at: createdAt.toISOString() }))
}
