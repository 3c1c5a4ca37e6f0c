import type { NotificationSetting } from '../../../prisma/client/client.ts'
import { type InboxKind, inboxKinds } from '../inbox/read-person-inbox.ts'

export const notificationChannels = ['email', 'webhook'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** Whether mails about events may go to the address. With a mail server, a code from the local outbox has confirmed nothing. */
export function isEmailConfirmed(
  setting: Pick<NotificationSetting, 'email' | 'emailConfirmedAt' | 'emailConfirmedByMail'>,
  hasMailServer: boolean,
): boolean {
  return setting.email !== null && setting.emailConfirmedAt !== null && (setting.emailConfirmedByMail || !hasMailServer)
}

/** The events that a channel sends now: none without a confirmed address or a webhook. */
export function activeNotificationEvents(setting: NotificationSetting, channel: NotificationChannel, hasMailServer: boolean): InboxKind[] {
  const isActive = channel === 'email' ? isEmailConfirmed(setting, hasMailServer) : setting.webhookUrl !== null
  const chosen = channel === 'email' ? setting.emailEvents : setting.webhookEvents
  return isActive ? inboxKinds.filter((kind) => chosen.includes(kind)) : []
}
