import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import {
  chooseNotificationEvents,
  createMissingNotifications,
  listDeadNotifications,
  listNotifications,
  listOutbox,
  readNotificationSettings,
  resendNotification,
  sendDueNotifications,
  setWebhook,
} from '../../../../server/notifications/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts'
import { anonymous, openRoomWorld, type Person } from '../../database-only-world.ts'
import { confirmAddress, meetDemand, postReview, withChannels } from '../notification-world.ts'

const world = openRoomWorld()
let receiver: WebhookReceiver
let server: Context
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = withChannels(world.ctx, { origins: [receiver.origin] })
})
afterAll(() => receiver?.[Symbol.asyncDispose]())
beforeEach(async () => {
  receiver.answer = { status: 204 }
  await world.db.notification.deleteMany()
  await world.db.notificationSetting.deleteMany()
})

const own = (person: Person) => withChannels(person.ctx, { origins: [receiver.origin] })

/** A person whose webhook is the receiver, and the secret. */
async function subscriber(): Promise<Person & { secret: string }> {
  const person = world.person()
  const { secret } = await setWebhook(own(person), { url: `${receiver.origin}/hook` })
  return { ...person, secret }
}

const eventsOf = (from: number) => receiver.received.slice(from).map(({ body }) => JSON.parse(body) as { [field: string]: unknown })

describe('sendDueNotifications', () => {
  it('posts what waits once, with a signature that node:crypto verifies', async () => {
    const person = await subscriber()
    const goalId = await postReview(world, person, { text: 'Translate the menu.' })
    const from = receiver.received.length
    expect(await createMissingNotifications(server)).toBe(1)
    expect(await createMissingNotifications(server)).toBe(0)
    expect(await sendDueNotifications(server)).toBe(1)
    expect(await sendDueNotifications(server)).toBe(0)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received.slice(from)
    const [, at = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['parley-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', person.secret).update(`${at}.${body}`).digest('hex'))
    expect(Number(at) * 1_000).toBe(world.clock.now().getTime())
    expect(headers['content-type']).toBe('application/json')
    const [row] = await listNotifications(own(person))
    expect(JSON.parse(body)).toEqual({
      ...{ id: row?.id, type: 'inbox.review', created_at: world.clock.now().toISOString() },
      data: {
        ...{ goal_id: goalId, demand_id: null, title: 'Translate the menu.', url: `http://localhost:3000/goals/${goalId}` },
        until: new Date(world.clock.now().getTime() + 3_600_000).toISOString(),
      },
    })
    expect(row).toMatchObject({ state: 'sent', status: 204, attempts: 1, error: null, next_attempt_at: null, goal_id: goalId })
  })

  it('sends each once, however many workers create and send at the same time', async () => {
    const people = await Promise.all([subscriber(), subscriber(), subscriber()])
    for (const person of people) for (const text of ['One.', 'Two.', 'Three.', 'Four.']) await meetDemand(world, person, text)
    const from = receiver.received.length
    const created = await Promise.all(Array.from({ length: 4 }, () => createMissingNotifications(server)))
    expect(created.reduce((sum, one) => sum + one)).toBe(12)
    while ((await Promise.all(Array.from({ length: 4 }, () => sendDueNotifications(server)))).some((sent) => sent > 0));
    const ids = eventsOf(from).map(({ id }) => id)
    expect(ids).toHaveLength(12)
    expect(new Set(ids).size).toBe(12)
  })

  it('repeats with back-off while the receiver is down, and delivers when it is up', async () => {
    const person = await subscriber()
    await meetDemand(world, person, 'Paint my boat.')
    receiver.answer = { status: 503 }
    const from = receiver.received.length
    await createMissingNotifications(server)
    await sendDueNotifications(server)
    const [failed] = await listNotifications(own(person))
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, status: 503, error: 'It answered with 503.' })
    expect(Date.parse(failed?.next_attempt_at ?? '') - world.clock.now().getTime()).toBe(60_000)
    world.clock.advance(59_999)
    expect(await sendDueNotifications(server)).toBe(0)
    world.clock.advance(1)
    expect(await sendDueNotifications(server)).toBe(1)
    const [again] = await listNotifications(own(person))
    expect(Date.parse(again?.next_attempt_at ?? '') - world.clock.now().getTime()).toBe(180_000)
    receiver.answer = { status: 200 }
    world.clock.advance(180_000)
    await sendDueNotifications(server)
    expect(await listNotifications(own(person))).toMatchObject([{ state: 'sent', attempts: 3, status: 200 }])
    // A receiver recognizes the repetitions by the id.
    expect(new Set(eventsOf(from).map((event) => JSON.stringify(event))).size).toBe(1)
    expect(eventsOf(from)).toHaveLength(3)
  })

  it('becomes a dead letter after eight attempts, which its person and operators see, and only its person sends again', async () => {
    const [person, other] = [await subscriber(), await subscriber()]
    await postReview(world, person, { text: 'Read my letters.', visibility: 'private' })
    receiver.answer = { status: 500 }
    await createMissingNotifications(server)
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect(await sendDueNotifications(server)).toBe(1)
      world.clock.advance(6 * 3_600_000)
    }
    expect(await sendDueNotifications(server)).toBe(0)
    const [dead] = await listNotifications(own(person))
    expect(dead).toMatchObject({ state: 'dead', attempts: 8, next_attempt_at: null })
    expect(await readNotificationSettings(own(person))).toMatchObject({ dead: 1 })
    const operator = world.as({ ...other.actor, isOperator: true })
    expect(await listDeadNotifications(operator)).toMatchObject([{ id: dead?.id, person_id: person.actor.did, goal_id: null }])
    await expectProblem(listDeadNotifications(person.ctx), 'permission.denied')
    await expectProblem(listDeadNotifications(world.as(anonymous)), 'permission.denied')
    expect(await listNotifications(own(other))).toEqual([])

    const id = dead?.id ?? ''
    await expectProblem(resendNotification(world.as(anonymous), { id }), 'auth.required')
    await expectProblem(resendNotification(own(other), { id }), 'request.not_found')
    await expectProblem(resendNotification(operator, { id }), 'request.not_found')
    await expectProblem(resendNotification(world.as({ ...person.actor, scopes: ['goals'] }), { id }), 'permission.denied')
    receiver.answer = { status: 204 }
    await resendNotification(own(person), { id })
    expect(await sendDueNotifications(server)).toBe(1)
    expect(await listNotifications(own(person))).toMatchObject([{ id, state: 'sent', attempts: 1 }])
  })

  it('repeats an attempt whose process died, after its lease, and records no late result', async () => {
    const person = await subscriber()
    await meetDemand(world, person, 'Paint my boat.')
    await createMissingNotifications(server)
    // As a process leaves it that dies after the claim.
    const lease = new Date(world.clock.now().getTime() + 60_000)
    await world.db.notification.updateMany({ data: { attempts: 1, nextAttemptAt: lease } })
    expect(await sendDueNotifications(server)).toBe(0)
    world.clock.advance(60_000)
    expect(await sendDueNotifications(server)).toBe(1)
    expect(await listNotifications(own(person))).toMatchObject([{ state: 'sent', attempts: 2 }])
    await world.db.notification.updateMany({ data: { state: 'pending', attempts: 8, nextAttemptAt: world.clock.now() } })
    const from = receiver.received.length
    await sendDueNotifications(server)
    expect(await listNotifications(own(person))).toMatchObject([{ state: 'dead' }])
    expect(receiver.received.length).toBe(from)
  })

  it('does not let one person occupy all places', async () => {
    const [busy, calm] = [await subscriber(), await subscriber()]
    for (let n = 0; n < 9; n++) await meetDemand(world, busy, `Number ${n}.`)
    world.clock.advance(1)
    await createMissingNotifications(server)
    await meetDemand(world, calm, 'Only one.')
    world.clock.advance(1)
    await createMissingNotifications(server)
    expect(await sendDueNotifications(server)).toBe(3)
    expect(await listNotifications(own(calm))).toMatchObject([{ state: 'sent' }])
  })

  it('sends only the chosen events of each channel', async () => {
    const person = await subscriber()
    await confirmAddress(person.ctx, 'client@example.org')
    await chooseNotificationEvents(person.ctx, { channel: 'webhook', events: ['demand'] })
    await chooseNotificationEvents(person.ctx, { channel: 'email', events: ['review', 'question'] })
    await postReview(world, person, { text: 'Translate the menu.' })
    await meetDemand(world, person, 'Paint my boat.')
    expect(await createMissingNotifications(server)).toBe(2)
    // Turned off after it was queued.
    await chooseNotificationEvents(person.ctx, { channel: 'webhook', events: [] })
    await sendDueNotifications(server)
    const rows = await listNotifications(own(person))
    expect(rows.filter(({ event }) => event !== 'code')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'webhook', event: 'demand', state: 'canceled' }),
        expect.objectContaining({ channel: 'email', event: 'review', state: 'sent' }),
      ]),
    )
    expect(rows).toHaveLength(3)
  })

  it('sends no text of a private goal', async () => {
    const person = await subscriber()
    await confirmAddress(person.ctx, 'private@example.org')
    await postReview(world, person, { text: 'The zanzibar papers.', visibility: 'private' })
    const from = receiver.received.length
    await createMissingNotifications(server)
    await sendDueNotifications(server)
    const mails = await world.db.outboxMail.findMany({ where: { personId: person.actor.did } })
    expect(mails.map(({ subject }) => subject)).toContain('Review the result')
    expect(eventsOf(from)).toMatchObject([{ type: 'inbox.review', data: { title: null } }])
    expect(JSON.stringify([mails, receiver.received.slice(from)])).not.toContain('zanzibar')
  })

  it('keeps line breaks of a goal out of the subject, and markup out of the mail', async () => {
    const person = world.person()
    await confirmAddress(person.ctx, 'client@example.org')
    world.clock.advance(1)
    await postReview(world, person, { text: 'A <b>menu</b>\r\nBcc: victim@example.org' })
    await createMissingNotifications(server)
    await sendDueNotifications(server)
    const [mail] = await world.db.outboxMail.findMany({ where: { personId: person.actor.did }, orderBy: { id: 'desc' }, take: 1 })
    expect(mail?.subject).toBe('Review the result: A <b>menu</b> Bcc: victim@example.org')
    expect(mail?.html).toContain('A &lt;b&gt;menu&lt;/b&gt;')
    expect((await listOutbox(person.ctx))[0]?.text).toMatch(/^Until \d+ Mar 2026, \d\d:\d\d UTC$/m)
  })
})

describe('chooseNotificationEvents', () => {
  it('refuses anyone without a login, and API tokens', async () => {
    const { actor } = world.person()
    const choice = { channel: 'email', events: [] } as const
    await expectProblem(chooseNotificationEvents(world.as(anonymous), choice), 'auth.required')
    await expectProblem(chooseNotificationEvents(world.as({ ...actor, scopes: ['goals'] }), choice), 'permission.denied')
    await expectProblem(listNotifications(world.as({ ...actor, scopes: ['goals'] })), 'permission.denied')
  })
})
