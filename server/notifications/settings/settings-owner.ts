import type { PersonDid } from '@parley/protocol'
import type { NotificationSetting } from '../../../prisma/client/client.ts'
import { type Actor, actingAs, type Context } from '../../context.ts'
import { settingsBrowserOnly, settingsLoginRequired } from '../errors.ts'
import { type InboxKind, inboxKinds } from '../inbox/read-inbox.ts'

export const notificationChannels = ['email', 'webhook'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** A person with a login in a browser: API tokens may not redirect notifications. */
export type SettingsOwner = Extract<Actor, { kind: 'person' }>

/** @throws auth.required, permission.denied for an API token */
export function requireSettingsOwner({ actor }: Context): SettingsOwner {
  if (actor.kind !== 'person') throw settingsLoginRequired()
  if (actor.scopes !== undefined) throw settingsBrowserOnly()
  return actor
}

/** The context in which the server reads what waits for a person. It has no rights of an operator. */
export function asPerson(ctx: Context, personId: string): Context {
  const address = (personId.split(':').at(-1) ?? '') as `0x${string}`
  return actingAs(ctx, { kind: 'person', did: personId as PersonDid, address, isOperator: false })
}

/** Whether mails about events may go to the address. With a mail server, a code from the local outbox has confirmed nothing. */
export function isEmailConfirmed(
  setting: Pick<NotificationSetting, 'email' | 'emailConfirmedAt' | 'emailConfirmedByMail'>,
  hasMailServer: boolean,
): boolean {
  return setting.email !== null && setting.emailConfirmedAt !== null && (setting.emailConfirmedByMail || !hasMailServer)
}

/** The events that a channel sends now: none without a confirmed address or a webhook. */
export function activeEvents(setting: NotificationSetting, channel: NotificationChannel, hasMailServer: boolean): InboxKind[] {
  const isActive = channel === 'email' ? isEmailConfirmed(setting, hasMailServer) : setting.webhookUrl !== null
  const chosen = channel === 'email' ? setting.emailEvents : setting.webhookEvents
  return isActive ? inboxKinds.filter((kind) => chosen.includes(kind)) : []
}
