import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransfer, endDispute, openChargeback } from '../../../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import { getHold } from '../../../../server/settlement/index.ts'
import { draftStripeStatement, readStripeStatement } from '../../../../server/settlement/reconciliation/stripe-statement.ts'
import { type CardWorld, capture, createCardWorld, drive, sealedGoal, settle } from '../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

async function books() {
  const { cards } = world.system.ports
  if (!cards) throw new Error('this world takes cards')
  const transfers = await world.system.db.ledgerTransfer.findMany({ include: { entries: true } })
  const plain = (lines: readonly { key: string; lines: string }[]) => lines.map((line) => `${line.key} ${line.lines}`).sort()
  return { ledger: plain(draftStripeStatement(transfers)), stripe: plain(await readStripeStatement(world.system, cards, 0)) }
}

describe('readStripe', () => {
  it('agrees from both sides, disputes and reversals included, and shows what only one side knows', async () => {
    for (const end of ['won', 'lost'] as const) {
      const goalId = await sealedGoal(world)
      await capture(world, goalId, 0b011n)
      await drive(world)
      const { id } = openChargeback(world.double.context, (await getHold(world.system, goalId)).fundedTx ?? '')
      await settle(world)
      endDispute(world.double.context, id, end)
      await drive(world)
    }
    const { ledger, stripe } = await books()
    expect(ledger).toEqual(stripe)
    expect(new Set(ledger.map((line) => line.split('_')[0]))).toEqual(new Set(['pi', 'tr', 're', 'trr', 'du']))

    // Sends money from Stripe's dashboard without our knowledge.
    const { destination } = world.double.context.state.transfers[0] ?? { destination: '' }
    await sealedGoal(world)
    const charge = world.double.context.state.charges.at(-1)?.id ?? ''
    const made = createTransfer(world.double.context, { amount: '1', currency: 'usd', destination, source_transaction: charge })
    const later = await books()
    expect(later.stripe.filter((line) => !later.ledger.includes(line))).toEqual([`${made.id} -1 cents`])
    expect(later.ledger.filter((line) => !later.stripe.includes(line))).toEqual([])
  })
})
