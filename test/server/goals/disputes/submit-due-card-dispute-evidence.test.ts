import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { paySession } from '../../../../server/embedded/stripe-fake/checkout-session.ts'
import { openChargeback } from '../../../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import { submitDueCardDisputeEvidence } from '../../../../server/goals/index.ts'
import { listAlarms } from '../../../../server/settlement/index.ts'
import { postCardGoal, startCards } from '../../../support/cards.ts'
import { createWorld } from '../../../support/world.ts'

const dayMs = 86_400_000

/** The same database, in which one goal cannot be read. */
function withoutGoal(db: Context['db'], goalId: string): Context['db'] {
  const goals = new Proxy(db.goal, {
    get: (delegate, name) => {
      const method: unknown = Reflect.get(delegate, name)
      if (typeof method !== 'function') return method
      return (args: unknown) => {
        if (JSON.stringify(args).includes(goalId)) throw new TypeError('the row cannot be read')
        return method.call(delegate, args) as unknown
      }
    },
  })
  return new Proxy(db, { get: (client, name) => (name === 'goal' ? goals : (Reflect.get(client, name) as unknown)) })
}

describe('submitDueCardDisputeEvidence', () => {
  it('answers each dispute though an earlier one cannot be read or sent, and raises an alarm until that is answered too', {
    timeout: 900_000,
  }, async () => {
    await using cards = await startCards()
    await using world = await createWorld({ hub: false, env: cards.env })
    cards.serve(world)
    const { system } = world
    const client = await world.person({ usdc: 0n })
    const disputed: { goalId: string; disputeId: string }[] = []
    for (let n = 1; n <= 3; n++) {
      const goalId = await postCardGoal(world, client)
      const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id: goalId })
      paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
      await world.until('the goal to open', async () => (await world.goal(goalId)).state === 'open')
      const { id: disputeId } = openChargeback(cards.double.context, cards.double.context.state.charges.at(-1)?.payment_intent ?? '')
      await world.until('the dispute to be recorded', () => system.db.cardHold.findFirst({ where: { disputeId, dispute: 'open' } }))
      await system.db.cardHold.update({ where: { goalId }, data: { evidenceDueBy: new Date(Date.now() + (n * dayMs) / 2) } })
      disputed.push({ goalId, disputeId })
    }
    const [unreadable, unsent, good] = disputed
    const submitted = (one = good) =>
      cards.double.context.state.disputes.find(({ id }) => id === one?.disputeId)?.evidence_details.submission_count
    const rail = system.ports.cards
    if (!rail) throw new Error('the world takes cards')
    const broken: Context = {
      ...system,
      db: withoutGoal(system.db, unreadable?.goalId ?? ''),
      ports: {
        ...system.ports,
        cards: {
          ...rail,
          getDispute: async (id) => {
            if (id === unsent?.disputeId) throw new TypeError('it is none')
            return rail.getDispute(id)
          },
        },
      },
    }
    await submitDueCardDisputeEvidence(broken)
    expect(disputed.map((one) => submitted(one))).toEqual([0, 0, 1])
    const alarms = (await listAlarms(system)).filter(({ kind }) => kind === 'card_dispute')
    expect(alarms.map(({ subject }) => subject).sort()).toEqual([unreadable?.disputeId, unsent?.disputeId].sort())

    await submitDueCardDisputeEvidence(system)
    expect(disputed.map((one) => submitted(one))).toEqual([1, 1, 1])
    expect((await listAlarms(system)).filter(({ kind }) => kind === 'card_dispute')).toEqual([])
  })
})
