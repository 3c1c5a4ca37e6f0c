import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyWebhookEvent, checkoutHold } from '../../../../../server/settlement/index.ts'
import { type CardWorld, createCardWorld, open } from '../../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

describe('applyWebhookEvent', () => {
  it.each(['__proto__', 'constructor', 'toString'])('changes no payment for an object of the kind %s', async (object) => {
    const { db, clock } = world.system
    await checkoutHold(world.client, { type: 'hold.checkout', goal_id: (await open(world)) as never })
    const before = await db.cardPayment.findMany({ orderBy: { id: 'asc' } })
    expect(before).not.toEqual([])
    const created = Math.floor(Date.now() / 1_000)
    const data = { object: { id: 'cs_other', object } }
    const body = { id: `evt_${object}`, object: 'event', type: 'checkout.session.completed', created, livemode: false, data }
    const row = { id: body.id, type: body.type, account: '', objectId: 'cs_other', body, at: clock.now(), receivedAt: clock.now() }
    await db.stripeEvent.create({ data: row })
    await applyWebhookEvent(world.system, body.id)
    expect(await db.cardPayment.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
    expect((await db.stripeEvent.findUniqueOrThrow({ where: { id: body.id } })).handledAt).not.toBeNull()
  })
})
