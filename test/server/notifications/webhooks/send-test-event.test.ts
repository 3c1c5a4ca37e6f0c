import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findActorByToken } from '../../../../server/identity/index.ts'
import {
  listDeadNotifications,
  listNotifications,
  readNotificationSettings,
  removeWebhook,
  replaceWebhookSecret,
  sendDueNotifications,
  sendTestEvent,
  setWebhook,
} from '../../../../server/notifications/index.ts'
import { signWebhook } from '../../../../server/notifications/webhooks/sign-webhook.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts'
import { anonymous, openRoomWorld } from '../../database-only-world.ts'
import { withChannels } from '../notification-world.ts'

const world = openRoomWorld()
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver?.[Symbol.asyncDispose]())

const hookOwner = () => {
  const person = world.person()
  return { ...person, own: withChannels(person.ctx, { origins: [receiver.origin] }) }
}

describe('setWebhook', () => {
  it('refuses anyone without a login, API tokens, and addresses inside the network', async () => {
    const { actor, ctx } = world.person()
    const url = 'https://hooks.example.org/'
    for (const attempt of [
      () => setWebhook(world.as(anonymous), { url }),
      () => replaceWebhookSecret(world.as(anonymous)),
      () => removeWebhook(world.as(anonymous)),
      () => sendTestEvent(world.as(anonymous)),
    ])
      await expectProblem(attempt(), 'auth.required')
    const token = world.as({ ...actor, scopes: ['goals', 'listings', 'calls'] })
    for (const attempt of [
      () => setWebhook(token, { url }),
      () => replaceWebhookSecret(token),
      () => removeWebhook(token),
      () => sendTestEvent(token),
    ])
      await expectProblem(attempt(), 'permission.denied')
    await expectProblem(setWebhook(ctx, { url: `${receiver.origin}/` }), 'request.malformed')
    await expectProblem(replaceWebhookSecret(ctx), 'request.malformed')
    await expectProblem(sendTestEvent(ctx), 'request.malformed')
    expect(await world.db.notificationSetting.count({ where: { personId: actor.did } })).toBe(0)
  })

  it('gives the secret once, and a new one for each URL and replacement', async () => {
    const { own, actor } = hookOwner()
    const { secret } = await setWebhook(own, { url: `${receiver.origin}/a` })
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    expect(JSON.stringify([await readNotificationSettings(own), await listNotifications(own)])).not.toContain(secret)
    const replaced = await replaceWebhookSecret(own)
    const moved = await setWebhook(own, { url: `${receiver.origin}/b` })
    // It opens no login.
    for (const one of [secret, replaced.secret, moved.secret]) expect(await findActorByToken(world.ctx, one)).toEqual({ kind: 'anonymous' })
    expect(new Set([secret, replaced.secret, moved.secret]).size).toBe(3)
    await removeWebhook(own)
    expect(await readNotificationSettings(own)).toMatchObject({ webhook_url: null })
    expect(await world.audit(actor.did)).toEqual([
      'notification_webhook.set',
      'notification_secret.replace',
      'notification_webhook.set',
      'notification_webhook.remove',
    ])
    expect(JSON.stringify(await world.db.auditEntry.findMany({ where: { chain: actor.did } }))).not.toContain('whsec_')
  })
})

describe('sendTestEvent', () => {
  it('posts a signed event and returns the response', async () => {
    const { own } = hookOwner()
    await setWebhook(own, { url: `${receiver.origin}/test` })
    const { secret } = await replaceWebhookSecret(own)
    expect(await sendTestEvent(own)).toEqual({ status: 204, error: null })
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: '' }
    expect(headers['parley-signature']).toBe(signWebhook(secret, { body, at: world.clock.now() }))
    expect(JSON.parse(body)).toMatchObject({ type: 'test', data: { goal_id: null } })
  })

  it('returns the failure, and is not repeated', async () => {
    const { own, actor } = hookOwner()
    await setWebhook(own, { url: `${receiver.origin}/test` })
    receiver.answer = { status: 410 }
    expect(await sendTestEvent(own)).toEqual({ status: 410, error: 'It answered with 410.' })
    receiver.answer = { status: 204 }
    world.clock.advance(3_600_000)
    expect(await sendDueNotifications(own)).toBe(0)
    expect(await listNotifications(own)).toMatchObject([{ event: 'test', state: 'dead', attempts: 1 }])
    expect(await readNotificationSettings(own)).toMatchObject({ dead: 0 })
    expect(await listDeadNotifications(world.as({ ...actor, isOperator: true }))).toEqual([])
  })
})
