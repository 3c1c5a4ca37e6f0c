import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransfer, endDispute, openDispute } from '../../../../server/embedded/stripe-double/money.ts'
import { getHold, readCardBooks } from '../../../../server/settlement/index.ts'
import { type CardWorld, capture, createCardWorld, drive, sealedGoal, settle } from '../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

describe('readCardBooks', () => {
  it('tells one story from both sides, disputes and reversals included, and shows what only one side knows', async () => {
    const since = new Date(world.clock.now().getTime() - 60_000)
    for (const end of ['won', 'lost'] as const) {
      const goalId = await sealedGoal(world)
      await capture(world, goalId, 0b011n)
      await drive(world)
      const { id } = openDispute(world.double.world, (await getHold(world.system, goalId)).fundedTx ?? '')
      await settle(world)
      endDispute(world.double.world, id, end)
      await drive(world)
    }
    const plain = (entries: readonly { kind: string; amount: bigint; reference: string }[]) =>
      entries.map(({ kind, amount, reference }) => `${kind} ${amount} ${reference}`).sort()
    const { ledger, stripe } = await readCardBooks(world.system, since)
    expect(plain(ledger)).toEqual(plain(stripe))
    expect(new Set(ledger.map((entry) => entry.kind))).toEqual(new Set(['charge', 'transfer', 'refund', 'reversal', 'dispute']))

    // Somebody sends from Stripe's own pages what we know nothing of.
    const { destination } = world.double.world.state.transfers[0] ?? { destination: '' }
    await sealedGoal(world)
    const charge = world.double.world.state.charges.at(-1)?.id ?? ''
    const made = createTransfer(world.double.world, { amount: '1', currency: 'usd', destination, source_transaction: charge })
    const later = await readCardBooks(world.system, since)
    const known = new Set(plain(later.ledger))
    expect(plain(later.stripe).filter((entry) => !known.has(entry))).toEqual([`transfer -1 ${made.id}`])
  })
})
