/** Valid inputs for the notification settings of a role. A webhook leads to a closed port, so that nothing leaves this machine. */
import { listOutbox, sendTestEvent, setEmail, setWebhook } from '../../../server/notifications/index.ts'
import { createUnsubscribeToken } from '../../../server/notifications/mail/unsubscribe-token.ts'
import type { PersonRole } from '../ground/cast.ts'
import type { Recipe } from './operations.ts'

/** The origin that the installation allows: nothing listens there. */
export const closedOrigin = 'http://127.0.0.1:9'
const url = `${closedOrigin}/hook`
const email = 'client@example.org'

const ctxOf: (...given: Parameters<Recipe>) => Parameters<typeof setWebhook>[0] = ({ scene }, role) => scene.people[role as PersonRole].ctx

const withWebhook: Recipe = async (place, role) => {
  await setWebhook(ctxOf(place, role), { url })
  return null
}

const confirm: Recipe = async (place, role) => {
  const ctx = ctxOf(place, role)
  await setEmail(ctx, { email })
  const [mail] = await listOutbox(ctx)
  return { code: /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? '' }
}

const sendAgain: Recipe = async (place, role) => {
  const ctx = ctxOf(place, role)
  await setWebhook(ctx, { url })
  await sendTestEvent(ctx)
  const where = { personId: place.scene.people[role as PersonRole].did }
  return { id: (await ctx.db.notification.findFirstOrThrow({ where, orderBy: { id: 'desc' } })).id }
}

const unsubscribe: Recipe = async (place, role) => {
  const { did, ctx } = place.scene.people[role as PersonRole]
  await setEmail(ctx, { email })
  return { token: await createUnsubscribeToken(ctx, did, email) }
}

export const notificationRecipes: { readonly [name: string]: Recipe } = {
  'notifications.setEmail': () => ({ email }),
  'notifications.confirmEmail': confirm,
  'notifications.setWebhook': () => ({ url }),
  'notifications.replaceSecret': withWebhook,
  'notifications.sendTest': withWebhook,
  'notifications.sendAgain': sendAgain,
  'notifications.chooseEvents': () => ({ channel: 'webhook', events: ['question', 'review'] }),
  'notifications.unsubscribe': unsubscribe,
}
