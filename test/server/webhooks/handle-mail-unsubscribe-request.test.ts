import { describe, expect, it } from 'vitest'
import { inboxKinds, readNotificationSettings } from '../../../server/notifications/index.ts'
import { createUnsubscribeToken } from '../../../server/notifications/mail/unsubscribe-token.ts'
import { handleMailUnsubscribeRequestAs } from '../../../server/webhooks/index.ts'
import { anonymous, openRoomWorld } from '../database-only-world.ts'
import { confirmAddress } from '../notifications/notification-world.ts'

const world = openRoomWorld()
const ask = (method: 'GET' | 'POST', token: string) =>
  handleMailUnsubscribeRequestAs(world.as(anonymous), new Request(`http://localhost:3000/api/unsubscribe?token=${token}`, { method }))

describe('handleMailUnsubscribeRequestAs', () => {
  it('unsubscribes by a POST only, and shows a reader the page', async () => {
    const person = world.person()
    await confirmAddress(person.ctx, 'client@example.org')
    const token = await createUnsubscribeToken(world.ctx, person.actor.did, 'client@example.org')
    const page = await ask('GET', token)
    expect([page.status, page.headers.get('location')]).toEqual([303, `http://localhost:3000/unsubscribe?token=${token}`])
    expect((await readNotificationSettings(person.ctx)).email_events).toHaveLength(inboxKinds.length)
    expect((await ask('POST', token)).status).toBe(200)
    expect((await readNotificationSettings(person.ctx)).email_events).toEqual([])
  })

  it('refuses a token that the server did not sign, and sends no one elsewhere', async () => {
    const refused = await ask('POST', 'x.y')
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ code: 'auth.signature_invalid' })
    expect((await ask('GET', '%22//evil.example')).headers.get('location')).toMatch(
      /^http:\/\/localhost:3000\/unsubscribe\?token=%22%2F%2Fevil/,
    )
  })
})
