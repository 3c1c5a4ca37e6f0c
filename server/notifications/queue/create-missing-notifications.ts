import type { NotificationSetting } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { type InboxItem, readPersonInbox } from '../inbox/read-person-inbox.ts'
import { activeNotificationEvents, notificationChannels } from '../settings/active-notification-events.ts'
import { asPerson } from '../settings/require-settings-owner.ts'
import { isDueItem } from './notification-retry-policy.ts'

/** One run compares so many inboxes, those first that were not compared for the longest time. The next run continues. */
const maxPeople = 500
const outboxDays = 30
const dayMs = 86_400_000

/**
 * Compares the inbox of each person who has a channel with the notifications that exist, and adds what is missing. The unique key of person,
 * event, subject and channel makes a concurrent run harmless. Returns how many were added.
 */
export async function createMissingNotifications(ctx: Context): Promise<number> {
  const now = ctx.clock.now()
  await ctx.db.outboxMail.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - outboxDays * dayMs) } } })
  const settings = await ctx.db.notificationSetting.findMany({
    where: { OR: [{ emailConfirmedAt: { not: null } }, { webhookUrl: { not: null } }] },
    orderBy: { checkedAt: 'asc' },
    take: maxPeople,
  })
  let added = 0
  for (const setting of settings) {
    added += await addMissing(ctx, setting).catch((error: unknown) => {
      // The inbox of one person must not stop the notifications of all others.
      ctx.log.error({ event: 'notification.inbox_failed', err: error, person: setting.personId }, 'An inbox could not be compared.')
      return 0
    })
    await ctx.db.notificationSetting.updateMany({ where: { personId: setting.personId }, data: { checkedAt: now } })
  }
  return added
}

async function addMissing(ctx: Context, setting: NotificationSetting): Promise<number> {
  const { personId } = setting
  const now = ctx.clock.now()
  const active = notificationChannels.map((channel) => ({
    channel,
    events: activeNotificationEvents(setting, channel, ctx.ports.mail !== null),
  }))
  if (active.every(({ events }) => events.length === 0)) return 0
  const items = (await readPersonInbox(asPerson(ctx, personId))).filter((item) => isDueItem(item, now))
  const rows = active.flatMap(({ channel, events }) =>
    items.filter(({ kind }) => events.includes(kind)).map((item) => rowOf(ctx, item, { personId, channel })),
  )
  if (rows.length === 0) return 0
  return (await ctx.db.notification.createMany({ data: rows, skipDuplicates: true })).count
}

function rowOf({ ids, clock }: Context, { kind, id, subject, until }: InboxItem, to: { personId: string; channel: string }) {
  const now = clock.now()
  return {
    ...{ id: ids.uuid(), ...to, event: kind, subject, itemId: id, until: until === null ? null : new Date(until) },
    ...{ state: 'pending', nextAttemptAt: now, createdAt: now },
  }
}
