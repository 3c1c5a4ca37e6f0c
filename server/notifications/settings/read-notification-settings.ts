import type { Context } from '../../context.ts'
import { type InboxKind, inboxKinds } from '../inbox/read-person-inbox.ts'
import { isEmailConfirmed } from './active-notification-events.ts'
import { requireSettingsOwner } from './require-settings-owner.ts'

export type NotificationSettingsView = {
  readonly email: string | null
  readonly is_email_confirmed: boolean
  /** Until when the last code is valid; null if none waits. */
  readonly code_expires_at: string | null
  readonly email_events: readonly InboxKind[]
  readonly webhook_url: string | null
  readonly webhook_events: readonly InboxKind[]
  /** Without a mail server, mails stay in the local outbox. */
  readonly has_mail_server: boolean
  /** Notifications that could not be sent. */
  readonly dead: number
}

/**
 * The person's own settings. Never contains the signing secret.
 * @throws auth.required, permission.denied
 */
export async function readNotificationSettings(ctx: Context): Promise<NotificationSettingsView> {
  const { did } = requireSettingsOwner(ctx)
  const hasMailServer = ctx.ports.mail !== null
  const [setting, dead] = await Promise.all([
    ctx.db.notificationSetting.findUnique({ where: { personId: did } }),
    ctx.db.notification.count({ where: { personId: did, state: 'dead', event: { in: [...inboxKinds] } } }),
  ])
  const events = (chosen: readonly string[]) => inboxKinds.filter((kind) => chosen.includes(kind))
  const isCodeValid = setting?.codeHash != null && setting.codeExpiresAt !== null && setting.codeExpiresAt > ctx.clock.now()
  return {
    email: setting?.email ?? null,
    is_email_confirmed: setting !== null && isEmailConfirmed(setting, hasMailServer),
    code_expires_at: isCodeValid ? (setting.codeExpiresAt?.toISOString() ?? null) : null,
    email_events: events(setting?.emailEvents ?? inboxKinds),
    webhook_url: setting?.webhookUrl ?? null,
    webhook_events: events(setting?.webhookEvents ?? inboxKinds),
    has_mail_server: hasMailServer,
    dead,
  }
}
