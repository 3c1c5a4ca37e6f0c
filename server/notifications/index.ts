/**
 * Owns the inbox of a client, and the notifications about it by e-mail and webhook: settings, queue, attempts and dead letters.
 * Never changes a goal, and never sends the text of a private goal.
 * Reads goals, teams, settlement, conversations, policy, audit.
 */
export { type InboxItem, type InboxKind, inboxKinds, readPersonInbox } from './inbox/read-person-inbox.ts'
export { createSmtpSender } from './mail/create-smtp-sender.ts'
export { listOutbox, type OutboxMailView } from './mail/deliver-mail.ts'
export { unsubscribe } from './mail/unsubscribe.ts'
export { createMissingNotifications } from './queue/create-missing-notifications.ts'
export { type DeadNotificationView, listDeadNotifications, listNotifications, type NotificationView } from './queue/list-notifications.ts'
export type { NotificationState } from './queue/notification-retry-policy.ts'
export { resendNotification } from './queue/resend-notification.ts'
export { sendDueNotifications } from './queue/send-due-notifications.ts'
export { type NotificationChannel, notificationChannels } from './settings/active-notification-events.ts'
export { chooseNotificationEvents } from './settings/choose-notification-events.ts'
export { confirmEmail } from './settings/confirm-email.ts'
export { type NotificationSettingsView, readNotificationSettings } from './settings/read-notification-settings.ts'
export { removeEmail } from './settings/remove-email.ts'
export { removeWebhook } from './settings/remove-webhook.ts'
export { replaceWebhookSecret, type WebhookSecret } from './settings/replace-webhook-secret.ts'
export { type SetEmailResult, setEmail } from './settings/set-email.ts'
export { setWebhook } from './settings/set-webhook.ts'
export { createWebhookClient } from './webhooks/create-webhook-client.ts'
export { sendTestEvent, type TestEventResult } from './webhooks/send-test-event.ts'
