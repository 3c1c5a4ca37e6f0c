import { processingFeeOn } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { paySession } from '../../../../server/embedded/stripe-fake/checkout-session.ts'
import { endDispute, openChargeback } from '../../../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import {
  checkoutHold,
  getCardPaymentStatus,
  getGoalCashFlow,
  getHold,
  listUnansweredDisputes,
  submitChargebackEvidence,
  voidHold,
} from '../../../../server/settlement/index.ts'
import { draftStripeStatement, readStripeStatement } from '../../../../server/settlement/reconciliation/stripe-statement.ts'
import {
  type CardWorld,
  capture,
  conclusionHash,
  createCardWorld,
  drive,
  handOver,
  ledgerBalance,
  movedFor,
  open,
  pay,
  sealedGoal,
  sessionOf,
  settle,
} from '../card-world.ts'

const fee = { bps: 290, fixedCents: 30 }
let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld({ fee })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const total = async (account: string) => ledgerBalance(world, account)
const evidence = { productDescription: 'p', serviceDate: '2026-01-01', activityLog: 'a', documentation: 'd', refundPolicy: 'r' }

describe('processingFeeOn', () => {
  it('covers what Stripe takes of the whole charge, for every amount, by less than a cent too much', () => {
    for (let cents = 50; cents < 200_000; cents += 7) {
      const charged = cents + Number(processingFeeOn(BigInt(cents), fee))
      const taken = Math.round(charged * 0.029) + 30
      expect(charged - cents).toBeGreaterThanOrEqual(taken)
      expect(charged - cents - (charged * 0.029 + 30)).toBeLessThan(1.03)
    }
  })
})

describe('the processing fee', () => {
  it('is paid by the client, shown before, and both it and Stripe’s own fee stand in the ledger', async () => {
    const goalId = await open(world)
    expect(await getCardPaymentStatus(world.system, goalId)).toMatchObject({ processingFee: 620_000n })
    await pay(world, goalId)
    await handOver(world, goalId)
    await capture(world, goalId, 0b011n)
    await drive(world)
    expect(movedFor(world, goalId)).toMatchObject({ charged: 1_087, sentSum: 700, refunded: 308 })
    expect((await getGoalCashFlow(world.system, goalId)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['funded', 10_870_000n],
      ['processing', -620_000n],
      ['fee', -170_000n],
      ['payee', -7_000_000n],
      ['refund', -3_080_000n],
    ])
    expect(await total('processing:stripe')).toBe(620_000n)
    expect(await total('platform:stripe')).toBe(0n)
  })

  it('is not refunded with the budget, so that a stopped goal costs the platform nothing', async () => {
    const before = await total('platform:stripe')
    const goalId = await open(world)
    await pay(world, goalId)
    await inTransaction(world.client, (tx) => voidHold(tx, { goalId, conclusionHash }))
    await drive(world)
    expect(movedFor(world, goalId)).toMatchObject({ charged: 1_087, refunded: 1_025 })
    expect(await total(`card:${goalId}`)).toBe(0n)
    expect(await total('platform:stripe')).toBeGreaterThanOrEqual(before)
  })

  it('agrees with Stripe’s own book, disputes and their fees included', async () => {
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n)
    await drive(world)
    const { id } = openChargeback(world.double.context, (await getHold(world.system, goalId)).fundedTx ?? '')
    await settle(world)
    endDispute(world.double.context, id, 'won')
    await drive(world)
    const transfers = await world.system.db.ledgerTransfer.findMany({ include: { entries: true } })
    const plain = (lines: readonly { key: string; lines: string }[]) => lines.map((line) => `${line.key} ${line.lines}`).sort()
    const { cards } = world.system.ports
    if (!cards) throw new Error('this world takes cards')
    expect(plain(draftStripeStatement(transfers))).toEqual(plain(await readStripeStatement(world.system, cards, 0)))
  })
})

describe('a card payment', () => {
  it('that the bank asks about is set aside once it was confirmed, and not before', async () => {
    const goalId = await open(world)
    const { url } = await checkoutHold(world.client, { type: 'hold.checkout', goal_id: goalId as never })
    expect(paySession(world.double.context, sessionOf(url), 'challenged')).toBe('challenged')
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    expect(paySession(world.double.context, sessionOf(url), 'declined')).toBe('declined')
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    paySession(world.double.context, sessionOf(url), 'challenged')
    paySession(world.double.context, sessionOf(url), 'paid')
    await settle(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    expect(movedFor(world, goalId).charged).toBe(1_087)
  })

  it('is refused while Stripe pays the balance out on its own', async () => {
    const goalId = await open(world)
    world.double.context.state.payouts = 'automatic'
    await expect(checkoutHold(world.client, { type: 'hold.checkout', goal_id: goalId as never })).rejects.toMatchObject({
      code: 'hold.card_unavailable',
    })
    world.double.context.state.payouts = 'manual'
    await pay(world, goalId)
  })

  it('whose money left the balance is refunded as soon as the balance covers it', async () => {
    await using other = await createCardWorld({ fee })
    const goalId = await open(other)
    await pay(other, goalId)
    other.clock.advance(3 * 86_400_000)
    other.double.context.state.payouts = 'automatic'
    await inTransaction(other.client, (tx) => voidHold(tx, { goalId, conclusionHash }))
    await drive(other)
    expect((await getHold(other.system, goalId)).state).toBe('voiding')
    expect(other.double.context.state.refunds.at(-1)?.status).toBe('pending')
  })
})

describe('submitEvidence', () => {
  it('answers a dispute once, also where the answer is lost, and audits it once', async () => {
    const goalId = await sealedGoal(world)
    openChargeback(world.double.context, (await getHold(world.system, goalId)).fundedTx ?? '')
    await settle(world)
    const [dispute] = (await listUnansweredDisputes(world.system)).filter((one) => one.goalId === goalId)
    if (!dispute) throw new Error('the dispute waits for evidence')
    world.double.fault('evidence', 'broken_after')
    await expect(submitChargebackEvidence(world.system, dispute, evidence)).rejects.toMatchObject({ code: 'hold.card_unavailable' })
    await submitChargebackEvidence(world.system, dispute, evidence)
    await submitChargebackEvidence(world.system, dispute, evidence)
    const kept = world.double.context.state.disputes.find(({ id }) => id === dispute.disputeId)
    expect(kept).toMatchObject({ status: 'under_review', evidence: { uncategorized_text: 'd' }, evidence_details: { submission_count: 1 } })
    expect((await listUnansweredDisputes(world.system)).filter((one) => one.goalId === goalId)).toEqual([])
    const audit = await world.system.db.auditEntry.findMany({ where: { chain: `hold:${goalId}`, action: 'hold.evidence' } })
    expect(audit).toHaveLength(1)
    expect(await getCardPaymentStatus(world.system, goalId)).toMatchObject({ dispute: { state: 'open', evidenceAt: expect.any(Date) } })
  })

  it('takes over a dispute that was lost without it', async () => {
    const goalId = await sealedGoal(world)
    openChargeback(world.double.context, (await getHold(world.system, goalId)).fundedTx ?? '')
    await settle(world)
    const [dispute] = (await listUnansweredDisputes(world.system)).filter((one) => one.goalId === goalId)
    if (!dispute) throw new Error('the dispute waits for evidence')
    world.clock.advance(22 * 86_400_000)
    await submitChargebackEvidence(world.system, dispute, evidence)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('reclaimed')
  })
})
