import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  confirmEmail,
  createMissingNotifications,
  inboxKinds,
  readNotificationSettings,
  sendDueNotifications,
  setEmail,
  unsubscribe,
} from '../../../../server/notifications/index.ts'
import { createUnsubscribeToken } from '../../../../server/notifications/mail/unsubscribe-token.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type SmtpServer, startSmtpServer } from '../../../support/smtp-server.ts'
import { anonymous, openRoomWorld } from '../../database-only-world.ts'
import { postReview, withChannels } from '../notification-world.ts'

const world = openRoomWorld()
let smtp: SmtpServer
beforeAll(async () => {
  smtp = await startSmtpServer()
})
afterAll(() => smtp?.[Symbol.asyncDispose]())

const noParty = () => world.as(anonymous)

async function addressee(email: string) {
  const person = world.person()
  const own = withChannels(person.ctx, { smtp: smtp.url })
  await setEmail(own, { email })
  await confirmEmail(own, { code: /^\d{6}$/m.exec(smtp.mails.at(-1)?.text ?? '')?.[0] ?? '' })
  return { ...person, own }
}

describe('unsubscribe', () => {
  it('ends the mails by the link of a mail, without a login', async () => {
    const person = await addressee('client@example.org')
    const served = withChannels(world.ctx, { smtp: smtp.url })
    await postReview(world, person, { text: 'Übersetze die Speisekarte.' })
    await createMissingNotifications(served)
    await sendDueNotifications(served)
    const mail = smtp.mails.at(-1)
    expect(mail).toMatchObject({ to: ['client@example.org'], subject: 'Review the result: Übersetze die Speisekarte.' })
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const oneClick = /^<http:\/\/localhost:3000\/api\/unsubscribe\?token=([\w.-]+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1]
    const token = /\/unsubscribe\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(oneClick).toBe(token)
    expect(mail?.html).toContain(`/unsubscribe?token=${token}`)
    await postReview(world, person, { text: 'Translate the menu.' })
    await createMissingNotifications(served)
    await unsubscribe(noParty(), { token })
    await unsubscribe(noParty(), { token })
    expect(await readNotificationSettings(person.own)).toMatchObject({ email_events: [], is_email_confirmed: true })
    const before = smtp.mails.length
    await sendDueNotifications(served)
    await postReview(world, person, { text: 'Translate the wine list.' })
    expect(await createMissingNotifications(served)).toBe(0)
    expect(smtp.mails.length).toBe(before)
    expect((await world.audit(person.actor.did)).filter((action) => action === 'notification_email.unsubscribe')).toHaveLength(1)
  })

  it('refuses tokens that are forged, of another person, or for a former address', async () => {
    const [one, other] = [await addressee('one@example.org'), await addressee('two@example.org')]
    const token = await createUnsubscribeToken(world.ctx, one.actor.did, 'one@example.org')
    const [person = '', signature = ''] = token.split('.')
    const otherPerson = Buffer.from(other.actor.did).toString('base64url')
    const forged = ['', 'x', person, `${person}.`, `${person}.${'A'.repeat(86)}`, `${otherPerson}.${signature}`]
    for (const one of forged) await expectProblem(unsubscribe(noParty(), { token: one }), 'auth.signature_invalid')
    await setEmail(one.own, { email: 'moved@example.org' })
    await expectProblem(unsubscribe(noParty(), { token }), 'auth.signature_invalid')
    expect((await readNotificationSettings(other.own)).email_events).toHaveLength(inboxKinds.length)
    expect((await readNotificationSettings(one.own)).email_events).toHaveLength(inboxKinds.length)
  })

  it('is repeated while the mail server refuses, and sends one mail afterwards', async () => {
    const person = await addressee('late@example.org')
    const served = withChannels(world.ctx, { smtp: smtp.url })
    await postReview(world, person, { text: 'Translate the menu.' })
    await createMissingNotifications(served)
    smtp.refuses = true
    const before = smtp.mails.length
    await sendDueNotifications(served)
    expect(await world.db.notification.findFirst({ where: { personId: person.actor.did, event: 'review' } })).toMatchObject({
      ...{ state: 'pending', attempts: 1, error: 'The mail server did not take the mail.' },
    })
    smtp.refuses = false
    world.clock.advance(60_000)
    await sendDueNotifications(served)
    expect(smtp.mails.slice(before)).toMatchObject([{ to: ['late@example.org'] }])
    expect(smtp.mails.at(-1)?.headers['message-id']).toMatch(/^<[0-9a-f-]{36}@parley\.test>$/)
  })
})
