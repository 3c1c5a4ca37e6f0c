import type { Context } from '../../../../server/context.ts'
import { requireEscrowHold } from '../../../../server/settlement/holds/hold.ts'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import { authorizeHold, submitFunding } from '../../../../server/settlement/index.ts'
import { capture, createMoneyWorld, drive, handOver, lower, open, sign } from '../money-world.ts'
import { type RailWorld, railSuite } from './rail.suite.ts'

railSuite('the escrow rail', async (): Promise<RailWorld> => {
  const world = await createMoneyWorld()
  const { rail } = world.system.ports
  const txs = async (goalId: string) => {
    const { planId } = requireEscrowHold(await loadHold(world.system, goalId))
    const logs = await world.system.db.chainLog.findMany({ where: { planId }, select: { txHash: true } })
    return new Set(logs.map((log) => log.txHash))
  }

  /** Crashes once, around the first broadcast. */
  function dying(point: string): Context {
    let isDead = false
    const die = () => {
      isDead = true
      throw new RangeError(point)
    }
    return world.over({
      ...rail,
      async broadcast(raw) {
        if (!isDead && point === 'before the call') die()
        const answer = await rail.broadcast(raw)
        if (!isDead && point === 'after the call') die()
        return answer
      },
      async readEvents(from, to) {
        const events = await rail.readEvents(from, to)
        if (!isDead && point === 'before the posting' && events.length > 0) die()
        return events
      },
    })
  }

  return {
    rail: 'escrow',
    system: world.system,
    open: () => open(world),
    async fund(goalId, ctx = world.system) {
      const signature = await sign(world, goalId)
      await authorizeHold(world.as(world.person(world.client)), { type: 'hold.authorize', goal_id: goalId, signature })
      await submitFunding(ctx, goalId)
    },
    handOver: async (goalId) => void (await handOver(world, goalId)),
    capture: (goalId, bits) => capture(world, goalId, bits),
    drive: (ctx) => drive(world, ctx),
    warp: (seconds) => world.warp(seconds),
    dying,
    points: ['before the call', 'after the call', 'before the posting'],
    async balances(goalId) {
      const own = await txs(goalId)
      const moved = (await world.transfers()).filter((one) => own.has(one.tx))
      const net = (address: string) =>
        moved.reduce((sum, one) => sum + (one.to === address ? one.value : 0n) - (one.from === address ? one.value : 0n), 0n)
      const [first = '0x', second = '0x'] = world.payees
      const payees = [net(first), net(second)] as const
      const held = await world.system.ports.rail.plan(requireEscrowHold(await loadHold(world.system, goalId)).planId)
      return { client: -net(lower(world.client.address)), payees, held: held.remaining }
    },
    fee: (paid) => (paid * 250n) / 10_000n,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})
