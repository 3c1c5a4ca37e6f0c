import type { Notification, NotificationSetting } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { getGoal, listOwnDemands } from '../../goals/index.ts'
import type { WebhookResult } from '../../ports.ts'
import { type InboxKind, inboxKinds } from '../inbox/read-person-inbox.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { deliverMail } from '../mail/deliver-mail.ts'
import { createUnsubscribeToken } from '../mail/unsubscribe-token.ts'
import { activeNotificationEvents } from '../settings/active-notification-events.ts'
import { asPerson } from '../settings/require-settings-owner.ts'
import { signWebhook } from '../webhooks/sign-webhook.ts'

const maxTitle = 80

/**
 * Sends one notification by its channel. `canceled`: the person has turned it off in the meantime, or the address is gone.
 * @throws {Error} if the mail server did not take the mail
 */
export async function deliverNotification(ctx: Context, notification: Notification): Promise<WebhookResult | 'canceled'> {
  const setting = await ctx.db.notificationSetting.findUnique({ where: { personId: notification.personId } })
  if (setting === null) return 'canceled'
  return notification.channel === 'email' ? sendMail(ctx, notification, setting) : postWebhook(ctx, notification, setting)
}

async function sendMail(ctx: Context, notification: Notification, setting: NotificationSetting): Promise<WebhookResult | 'canceled'> {
  const event = activeNotificationEvents(setting, 'email', ctx.ports.mail !== null).find((kind) => kind === notification.event)
  const { email } = setting
  if (event === undefined || email === null) return 'canceled'
  const { personId, id } = notification
  const { publicUrl } = ctx.market
  const token = await createUnsubscribeToken(ctx, personId, email)
  const content = await contentOf(ctx, notification)
  // The link in the text opens a page with a button. Mail programs post to the other one.
  const mail = composeMail({
    ...content,
    event,
    unsubscribeUrl: `${publicUrl}/unsubscribe?token=${token}`,
    settingsUrl: `${publicUrl}/account`,
  })
  await deliverMail(ctx, personId, { id, to: email, ...mail, unsubscribeUrl: `${publicUrl}/api/unsubscribe?token=${token}` })
  return { status: null, error: null }
}

async function postWebhook(ctx: Context, notification: Notification, setting: NotificationSetting): Promise<WebhookResult | 'canceled'> {
  const { webhookUrl, webhookSecret } = setting
  const isChosen =
    notification.event === 'test' || activeNotificationEvents(setting, 'webhook', false).some((kind) => kind === notification.event)
  if (webhookUrl === null || webhookSecret === null || !isChosen) return 'canceled'
  const body = JSON.stringify(await webhookEvent(ctx, notification))
  return ctx.ports.webhooks.post(webhookUrl, {
    body,
    headers: { 'parley-signature': signWebhook(webhookSecret, { body, at: ctx.clock.now() }) },
  })
}

/** The body of a webhook. The same in each attempt, so that a receiver can drop repeated ones by their id. */
async function webhookEvent(ctx: Context, notification: Notification) {
  const { id, event, itemId, createdAt } = notification
  const { title, url, until } = await contentOf(ctx, notification)
  return {
    id,
    type: event === 'test' ? 'test' : `inbox.${event}`,
    created_at: createdAt.toISOString(),
    data: {
      goal_id: event === 'demand' ? null : itemId,
      demand_id: event === 'demand' ? itemId : null,
      url,
      title,
      until: until?.toISOString() ?? null,
    },
  }
}

type Content = { readonly title: string | null; readonly url: string; readonly until: Date | null }

async function contentOf(ctx: Context, { personId, event, itemId, until }: Notification): Promise<Content> {
  const { publicUrl } = ctx.market
  const isOfInbox = (inboxKinds as readonly string[]).includes(event)
  if (!isOfInbox || itemId === null) return { title: null, url: `${publicUrl}/account`, until: null }
  const title = await titleOf(asPerson(ctx, personId), event as InboxKind, itemId)
  return { title, url: event === 'demand' ? `${publicUrl}/inbox` : `${publicUrl}/goals/${itemId}`, until }
}

/** The beginning of the public text. Null for a private goal, whose text must not leave the server. */
async function titleOf(own: Context, event: InboxKind, itemId: string): Promise<string | null> {
  if (event === 'demand') return shorten((await listOwnDemands(own)).find(({ id }) => id === itemId)?.text ?? null)
  try {
    const { text, visibility } = await getGoal(own, itemId)
    return shorten(visibility === 'public' ? text : null)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** On one line, so that no header of a mail can be added. */
function shorten(text: string | null): string | null {
  const line = text?.replace(/\s+/g, ' ').trim() ?? ''
  if (line === '') return null
  return line.length <= maxTitle ? line : `${line.slice(0, maxTitle - 1).trimEnd()}…`
}
