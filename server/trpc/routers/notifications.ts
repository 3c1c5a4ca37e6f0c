import { z } from 'zod'
import {
  chooseNotificationEvents,
  confirmEmail,
  inboxKinds,
  listDeadNotifications,
  listNotifications,
  listOutbox,
  notificationChannels,
  readNotificationSettings,
  removeEmail,
  removeWebhook,
  replaceWebhookSecret,
  resendNotification,
  sendTestEvent,
  setEmail,
  setWebhook,
  unsubscribe,
} from '../../notifications/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

const maxEmail = 254
const maxUrl = 2_000

export const notificationsRouter = createRouter({
  getSettings: signedInProcedure.query(({ ctx }) => readNotificationSettings(ctx.ctx)),
  /** The person's last 50 deliveries by e-mail and webhook, newest first. */
  list: signedInProcedure.query(({ ctx }) => listNotifications(ctx.ctx)),
  /** The mails to the person on an installation without a mail server. */
  listOutbox: signedInProcedure.query(({ ctx }) => listOutbox(ctx.ctx)),
  /** For operators: notifications that could not be sent. */
  listDead: signedInProcedure.query(({ ctx }) => listDeadNotifications(ctx.ctx)),
  /** Mails a code to the address. */
  setEmail: signedInProcedure
    .meta({ rate: 'notify' })
    .input(z.strictObject({ email: z.email().max(maxEmail) }))
    .mutation(({ ctx, input }) => setEmail(ctx.ctx, input)),
  confirmEmail: signedInProcedure
    .meta({ rate: 'notify' })
    .input(z.strictObject({ code: z.string().regex(/^\d{6}$/) }))
    .mutation(({ ctx, input }) => confirmEmail(ctx.ctx, input)),
  removeEmail: signedInProcedure.meta({ rate: 'write' }).mutation(({ ctx }) => removeEmail(ctx.ctx)),
  /** Its answer is the only one with the signing secret. */
  setWebhook: signedInProcedure
    .meta({ rate: 'notify' })
    .input(z.strictObject({ url: z.url().max(maxUrl) }))
    .mutation(({ ctx, input }) => setWebhook(ctx.ctx, input)),
  replaceSecret: signedInProcedure.meta({ rate: 'notify' }).mutation(({ ctx }) => replaceWebhookSecret(ctx.ctx)),
  removeWebhook: signedInProcedure.meta({ rate: 'write' }).mutation(({ ctx }) => removeWebhook(ctx.ctx)),
  /** Events that are not in the list are off. */
  chooseEvents: signedInProcedure
    .meta({ rate: 'write' })
    .input(z.strictObject({ channel: z.enum(notificationChannels), events: z.array(z.enum(inboxKinds)).max(inboxKinds.length) }))
    .mutation(({ ctx, input }) => chooseNotificationEvents(ctx.ctx, input)),
  sendTest: signedInProcedure.meta({ rate: 'notify' }).mutation(({ ctx }) => sendTestEvent(ctx.ctx)),
  sendAgain: signedInProcedure
    .meta({ rate: 'notify' })
    .input(z.strictObject({ id: z.uuid() }))
    .mutation(({ ctx, input }) => resendNotification(ctx.ctx, input)),
  /** Needs no login: the signed token is the permission. */
  unsubscribe: publicProcedure
    .meta({ rate: 'identity' })
    .input(z.strictObject({ token: z.string().max(400) }))
    .mutation(({ ctx, input }) => unsubscribe(ctx.ctx, input)),
})
