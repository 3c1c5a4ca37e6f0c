import type { Context } from '../../../../server/context.ts'
import { paySession } from '../../../../server/embedded/stripe-fake/checkout-session.ts'
import type { CardRail } from '../../../../server/ports.ts'
import { checkoutHold } from '../../../../server/settlement/index.ts'
import { capture, createCardWorld, drive, handOver, movedFor, open, sessionOf, settle } from '../card-world.ts'
import { type RailWorld, railSuite } from './rail.suite.ts'

railSuite('the card rail', async (): Promise<RailWorld> => {
  const world = await createCardWorld()
  const { rail: _, ...ports } = world.system.ports
  const cards = ports.cards as CardRail

  /** Crashes once: before the call, after it, or during the response. */
  function dying(point: string): Context {
    let isDead = false
    const die = () => {
      isDead = true
      throw new RangeError(point)
    }
    return world.over({
      ...cards,
      async send(call, key) {
        if (!isDead && point === 'before the call') die()
        if (!isDead && point === 'the reply is lost') world.double.fault(call.kind, 'reply_lost')
        if (!isDead && point === 'Stripe breaks after having done it') world.double.fault(call.kind, 'broken_after')
        const answer = await cards.send(call, key)
        if (!isDead && point !== 'before the posting') die()
        if (!isDead && answer.answer === 'object' && answer.object.state === 'done') die()
        return answer
      },
    })
  }

  return {
    rail: 'stripe',
    system: world.system,
    open: () => open(world),
    async fund(goalId, ctx = world.system) {
      const client = { ...world.client, ports: ctx.ports }
      const { url } = await checkoutHold(client, { type: 'hold.checkout', goal_id: goalId as never })
      paySession(world.double.context, sessionOf(url), 'paid')
      await settle(world)
    },
    handOver: (goalId) => handOver(world, goalId),
    capture: (goalId, bits) => capture(world, goalId, bits),
    drive: (ctx) => drive(world, ctx),
    warp: async (seconds) => world.clock.advance(seconds * 1_000),
    dying,
    points: ['before the call', 'after the call', 'the reply is lost', 'Stripe breaks after having done it', 'before the posting'],
    async balances(goalId) {
      const { charged, sent, takenBack, refunded } = movedFor(world, goalId)
      const accounts = await world.system.db.payoutAccount.findMany()
      const to = (index: number) => {
        const account = accounts.find((one) => one.ownerId === world.publishers[index]?.did)?.accountId
        return BigInt(sent.filter(([destination]) => destination === account).reduce((sum, [, amount]) => sum + amount, 0)) * 10_000n
      }
      const payees = [to(0), to(1)] as const
      const client = BigInt(charged - refunded) * 10_000n
      return { client, payees, held: client - payees[0] - payees[1] + BigInt(takenBack) * 10_000n }
    },
    fee: (paid) => ((paid * 250n) / 10_000n / 10_000n) * 10_000n,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})
