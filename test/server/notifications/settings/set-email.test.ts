import { describe, expect, it } from 'vitest'
import {
  confirmEmail,
  createMissingNotifications,
  listOutbox,
  readNotificationSettings,
  removeEmail,
  sendDueNotifications,
  setEmail,
} from '../../../../server/notifications/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { startSmtpServer } from '../../../support/smtp-server.ts'
import { anonymous, openRoomWorld } from '../../database-only-world.ts'
import { codeInOutbox, confirmAddress, meetDemand, withChannels } from '../notification-world.ts'

const world = openRoomWorld()

describe('setEmail', () => {
  it('refuses anyone without a login, agents and API tokens', async () => {
    const { actor } = world.person()
    const token = world.as({ ...actor, scopes: ['goals'] })
    for (const attempt of [
      (ctx = token) => setEmail(ctx, { email: 'a@example.org' }),
      (ctx = token) => confirmEmail(ctx, { code: '123456' }),
      (ctx = token) => removeEmail(ctx),
      (ctx = token) => readNotificationSettings(ctx),
    ]) {
      await expectProblem(attempt(world.as(anonymous)), 'auth.required')
      await expectProblem(attempt(world.agent('agt_1')), 'auth.required')
      await expectProblem(attempt(), 'permission.denied')
    }
    expect(await world.db.notificationSetting.count({ where: { personId: actor.did } })).toBe(0)
  })

  it('mails a code to the address, which confirms it once', async () => {
    await using smtp = await startSmtpServer()
    const { ctx, actor } = world.person()
    const own = withChannels(ctx, { smtp: smtp.url })
    expect(await setEmail(own, { email: 'client@example.org' })).toEqual({ is_confirmed: false, is_sent: true })
    const [mail] = smtp.mails
    expect(mail).toMatchObject({ to: ['client@example.org'], from: 'notifications@parley.test' })
    expect(mail?.headers['list-unsubscribe']).toBeUndefined()
    const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? ''
    expect(mail?.html).toContain(code)
    expect(await readNotificationSettings(own)).toMatchObject({ email: 'client@example.org', is_email_confirmed: false })
    await confirmEmail(own, { code })
    expect(await readNotificationSettings(own)).toMatchObject({ is_email_confirmed: true, code_expires_at: null, has_mail_server: true })
    await expectProblem(confirmEmail(own, { code }), 'request.malformed')
    expect(await setEmail(own, { email: 'client@example.org' })).toEqual({ is_confirmed: true, is_sent: false })
    expect(await world.audit(actor.did)).toEqual(['notification_email.set', 'notification_email.confirm'])
    own.ports.mail?.close()
  })

  it('sends nothing else to an unconfirmed address', async () => {
    const person = world.person()
    await meetDemand(world, person, 'Paint my boat.')
    await setEmail(person.ctx, { email: 'other@example.org' })
    expect(await createMissingNotifications(world.ctx)).toBe(0)
    await sendDueNotifications(world.ctx)
    expect((await listOutbox(person.ctx)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Your code is/)])
    await confirmEmail(person.ctx, { code: await codeInOutbox(person.ctx) })
    expect(await createMissingNotifications(world.ctx)).toBe(1)
    // A new address is unconfirmed again, so what waits for the former one is not sent.
    await setEmail(person.ctx, { email: 'new@example.org' })
    await sendDueNotifications(world.ctx)
    expect(await world.db.notification.findFirst({ where: { personId: person.actor.did, event: 'demand' } })).toMatchObject({
      state: 'canceled',
    })
  })

  it('does not trust a confirmation by the local outbox once there is a mail server', async () => {
    await using smtp = await startSmtpServer()
    const person = world.person()
    await confirmAddress(person.ctx, 'stranger@example.org')
    await meetDemand(world, person, 'Paint my house.')
    const served = withChannels(world.ctx, { smtp: smtp.url })
    expect(await createMissingNotifications(served)).toBe(0)
    const own = withChannels(person.ctx, { smtp: smtp.url })
    expect(await readNotificationSettings(own)).toMatchObject({ is_email_confirmed: false })
    expect(await setEmail(own, { email: 'stranger@example.org' })).toMatchObject({ is_confirmed: false, is_sent: true })
  })

  it('refuses a sixth code within an hour, of one person and to one address', async () => {
    const { ctx } = world.person()
    for (let n = 0; n < 5; n++) await setEmail(ctx, { email: `address-${n}@example.org` })
    const refused = await expectProblem(setEmail(ctx, { email: 'address-5@example.org' }), 'rate.exceeded')
    expect(refused.facts.retry_after_seconds).toBe(3_600)
    for (let n = 0; n < 5; n++) await setEmail(world.person().ctx, { email: 'victim@example.org' })
    await expectProblem(setEmail(world.person().ctx, { email: 'Victim@example.org' }), 'rate.exceeded')
    world.clock.advance(3_600_001)
    expect(await setEmail(ctx, { email: 'victim@example.org' })).toMatchObject({ is_sent: true })
  })

  it('counts the other ways to write an address as the same mailbox', async () => {
    for (let n = 0; n < 5; n++) await setEmail(world.person().ctx, { email: `target+${n}@example.org` })
    await expectProblem(setEmail(world.person().ctx, { email: 'target@example.org' }), 'rate.exceeded')
    for (const email of ['ab@gmail.com', 'a.b@gmail.com', 'a.b+x@gmail.com', 'AB@googlemail.com', 'ab+y@googlemail.com'])
      await setEmail(world.person().ctx, { email })
    await expectProblem(setEmail(world.person().ctx, { email: 'a.b+z@gmail.com' }), 'rate.exceeded')
  })

  it('reports that a code was not sent', async () => {
    await using smtp = await startSmtpServer()
    smtp.refuses = true
    const own = withChannels(world.person().ctx, { smtp: smtp.url })
    expect(await setEmail(own, { email: 'down@example.org' })).toEqual({ is_confirmed: false, is_sent: false })
    expect(smtp.mails).toEqual([])
  })
})

describe('confirmEmail', () => {
  it('refuses codes of others, codes that expired, and all codes after five wrong ones', async () => {
    const [one, other] = [world.person(), world.person()]
    await setEmail(one.ctx, { email: 'one@example.org' })
    await setEmail(other.ctx, { email: 'two@example.org' })
    const code = await codeInOutbox(one.ctx)
    await expectProblem(confirmEmail(other.ctx, { code }), 'request.malformed')
    world.clock.advance(15 * 60_000)
    await expectProblem(confirmEmail(one.ctx, { code }), 'request.malformed')
    await setEmail(one.ctx, { email: 'one@example.org' })
    const fresh = await codeInOutbox(one.ctx)
    for (let n = 0; n < 5; n++) await expectProblem(confirmEmail(one.ctx, { code: 'wrong!' }), 'request.malformed')
    await expectProblem(confirmEmail(one.ctx, { code: fresh }), 'request.malformed')
  })
})

describe('removeEmail', () => {
  it('removes the address and the mails to it', async () => {
    const { ctx, actor } = world.person()
    await confirmAddress(ctx, 'gone@example.org')
    await removeEmail(ctx)
    expect(await readNotificationSettings(ctx)).toMatchObject({ email: null, is_email_confirmed: false })
    expect(await listOutbox(ctx)).toEqual([])
    expect(await world.audit(actor.did)).toContain('notification_email.remove')
  })
})

describe('listOutbox', () => {
  it('shows a person only the mails of its own', async () => {
    const [one, other] = [world.person(), world.person()]
    await setEmail(one.ctx, { email: 'mine@example.org' })
    expect(await listOutbox(one.ctx)).toHaveLength(1)
    expect(await listOutbox(other.ctx)).toEqual([])
    expect(await listOutbox(world.as(anonymous))).toEqual([])
    expect(await listOutbox(world.as({ ...one.actor, scopes: [] }))).toEqual([])
    expect(await listOutbox(world.as({ ...other.actor, isOperator: true }))).toEqual([])
  })
})
