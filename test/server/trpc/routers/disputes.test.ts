import type { ProblemCode } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { DomainError } from '../../../../server/errors.ts'
import { listPayouts } from '../../../../server/settlement/index.ts'
import { createCaller } from '../../../../server/trpc/app-router.ts'
import { createFundedGoal, deliverForReview, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

// Who is refused at each route, and that a refusal leaves nothing behind.

let world: TestWorld
let fixture: GoalFixture
let stranger: TestPerson
let operator: TestPerson
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await deliverForReview(fixture)
  stranger = await world.person({ usdc: 0n })
  operator = await world.person({ usdc: 0n, isOperator: true })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const callAs = (ctx: Context) =>
  createCaller({ ctx, services: world.world, token: null, userAgent: '', source: '127.0.0.1', reply: null, id: 'test' }).disputes
const noParty = () => callAs(world.world.contextFor({ kind: 'anonymous' }))
const by = (person: { readonly ctx: Context }) => callAs(person.ctx)
const sign = (person: TestPerson, { typedData }: { typedData: unknown }) => person.account.signTypedData(typedData as never)

async function expectRefused(attempt: Promise<unknown>, code: ProblemCode): Promise<void> {
  const error = await attempt.then(
    () => new Error(`was not refused; expected ${code}`),
    (thrown: Error) => thrown,
  )
  if (!(error.cause instanceof DomainError)) throw error
  expect(error.cause.code, error.cause.message).toBe(code)
}

/** What these routes write. */
async function written(): Promise<unknown> {
  const { db } = world.system
  const actions = ['dispute.open', 'dispute.rule', 'settlement_offer.make', 'settlement_offer.accept']
  return [
    await db.dispute.findMany({ select: { id: true, state: true, payeeBps: true } }),
    await db.settlementOffer.findMany({ select: { id: true, state: true, counterSignature: true } }),
    await db.auditEntry.count({ where: { action: { in: actions } } }),
    await db.outboxEvent.count({
      where: { type: { in: ['dispute.opening', 'dispute.ruling', 'settlement_offer.made', 'settlement_offer.accepting'] } },
    }),
  ]
}

async function expectNothingWritten(attempts: () => Promise<void>): Promise<void> {
  const before = await written()
  await attempts()
  expect(await written()).toEqual(before)
}

const evidenceFor = (step: number) => ({ goal_id: fixture.goal.id as never, step, evidence: 'It is blank.', artifacts: [] })
const unknownDispute = `dsp_${'0'.repeat(32)}` as const
const unknownOffer = `ofr_${'0'.repeat(32)}` as const
const badSignature = `0x${'11'.repeat(65)}`

describe('disputes.getTerms and disputes.open', () => {
  it('refuse the stranger, the agent, who signs something else, and a step that is not there', async () => {
    const given = evidenceFor(1)
    const signature = await sign(fixture.client, await by(fixture.client).getTerms(given))
    await expectNothingWritten(async () => {
      await expectRefused(noParty().getTerms(given), 'auth.required')
      await expectRefused(by(fixture.first).getTerms(given), 'auth.required')
      for (const person of [stranger, operator]) await expectRefused(by(person).getTerms(given), 'dispute.not_party')
      await expectRefused(by(fixture.client).getTerms(evidenceFor(9)), 'dispute.wrong_state')
      await expectRefused(noParty().open({ ...given, signature }), 'auth.required')
      await expectRefused(by(fixture.first).open({ ...given, signature }), 'permission.denied')
      for (const person of [stranger, operator]) await expectRefused(by(person).open({ ...given, signature }), 'dispute.not_party')
      // The payee is a party; the client's signature is not its own.
      await expectRefused(by(fixture.publisher).open({ ...given, signature }), 'dispute.signature_invalid')
      await expectRefused(by(fixture.client).open({ ...given, signature: badSignature }), 'dispute.signature_invalid')
      await expectRefused(by(fixture.client).open({ ...evidenceFor(2), signature }), 'dispute.signature_invalid')
      await expectRefused(by(fixture.client).open({ ...evidenceFor(9), signature }), 'dispute.wrong_state')
    })
  })
})

describe('disputes.getSettlementOfferTerms and disputes.makeSettlementOffer', () => {
  it('refuse the stranger, the agent, another signature, and a share that was not signed', async () => {
    const given = { goal_id: fixture.goal.id as never, step: 1, payee_bps: 5_000, deadline: Math.floor(Date.now() / 1_000) + 600 }
    const signature = await sign(fixture.client, await by(fixture.client).getSettlementOfferTerms(given))
    await expectNothingWritten(async () => {
      await expectRefused(noParty().getSettlementOfferTerms(given), 'auth.required')
      for (const person of [stranger, operator]) await expectRefused(by(person).getSettlementOfferTerms(given), 'dispute.not_party')
      await expectRefused(noParty().makeSettlementOffer({ ...given, signature }), 'auth.required')
      await expectRefused(by(fixture.first).makeSettlementOffer({ ...given, signature }), 'permission.denied')
      for (const person of [stranger, operator])
        await expectRefused(by(person).makeSettlementOffer({ ...given, signature }), 'dispute.not_party')
      await expectRefused(by(fixture.publisher).makeSettlementOffer({ ...given, signature }), 'dispute.signature_invalid')
      await expectRefused(by(fixture.client).makeSettlementOffer({ ...given, payee_bps: 4_000, signature }), 'dispute.signature_invalid')
      await expectRefused(by(fixture.client).makeSettlementOffer({ ...given, deadline: 1, signature }), 'settlement_offer.wrong_state')
    })
  })
})

describe('disputes.acceptSettlementOffer', () => {
  it('refuses everyone but the other party, by its own signature, as long as the offer stands', async () => {
    const given = { goal_id: fixture.goal.id as never, step: 1, payee_bps: 5_000, deadline: Math.floor(Date.now() / 1_000) + 600 }
    const signature = await sign(fixture.client, await by(fixture.client).getSettlementOfferTerms(given))
    const { settlement_offer_id: id } = await by(fixture.client).makeSettlementOffer({ ...given, signature })
    const settlement_offer_id = id as typeof unknownOffer
    await expectNothingWritten(async () => {
      await expectRefused(noParty().acceptSettlementOffer({ settlement_offer_id, signature }), 'auth.required')
      await expectRefused(by(fixture.first).acceptSettlementOffer({ settlement_offer_id, signature }), 'permission.denied')
      for (const person of [fixture.client, stranger, operator])
        await expectRefused(by(person).acceptSettlementOffer({ settlement_offer_id, signature }), 'dispute.not_party')
      await expectRefused(by(fixture.publisher).acceptSettlementOffer({ settlement_offer_id, signature }), 'dispute.signature_invalid')
      await expectRefused(
        by(fixture.publisher).acceptSettlementOffer({ settlement_offer_id: unknownOffer, signature }),
        'settlement_offer.not_found',
      )
      await expectRefused(by(stranger).getSettlementOfferTerms({ settlement_offer_id }), 'dispute.not_party')
    })
    // A newer offer of the same party takes its place.
    const less = { ...given, payee_bps: 2_000 }
    await by(fixture.client).makeSettlementOffer({
      ...less,
      signature: await sign(fixture.client, await by(fixture.client).getSettlementOfferTerms(less)),
    })
    const late = await sign(fixture.publisher, await by(fixture.publisher).getSettlementOfferTerms(given))
    await expectNothingWritten(() =>
      expectRefused(by(fixture.publisher).acceptSettlementOffer({ settlement_offer_id, signature: late }), 'settlement_offer.wrong_state'),
    )
  })
})

describe('disputes.rule and disputes.listOpen', () => {
  it('refuse everyone but operators who are no party, and what is not before the arbitrator', async () => {
    const given = evidenceFor(2)
    const signature = await sign(fixture.client, await by(fixture.client).getTerms(given))
    const opened = await by(fixture.client).open({ ...given, signature })
    const dispute_id = opened.dispute_id as typeof unknownDispute
    const ruling = { dispute_id, payee_bps: 5_000, reason: 'Half of it is there.' }
    await world.until('the dispute', async () => (await listPayouts(world.system, { goalId: fixture.goal.id }))[1]?.state === 'disputed')
    const partial = (person: TestPerson): Context => ({ ...person.ctx, actor: { ...person.ctx.actor, isOperator: true } as never })
    await expectNothingWritten(async () => {
      await expectRefused(noParty().rule(ruling), 'auth.required')
      await expectRefused(noParty().listOpen(), 'auth.required')
      await expectRefused(by(fixture.second).rule(ruling), 'permission.denied')
      for (const person of [fixture.client, fixture.publisher, stranger]) {
        await expectRefused(by(person).rule(ruling), 'permission.denied')
        await expectRefused(by(person).listOpen(), 'permission.denied')
      }
      // No one judges in their own cause.
      for (const person of [fixture.client, fixture.publisher])
        await expectRefused(callAs(partial(person)).rule(ruling), 'permission.denied')
      await expectRefused(by(operator).rule({ ...ruling, dispute_id: unknownDispute }), 'dispute.not_found')
      await expect(by(operator).rule({ ...ruling, payee_bps: 10_001 })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      // It is disputed once.
      await expectRefused(by(fixture.publisher).getTerms(given), 'dispute.wrong_state')
      await expectRefused(by(fixture.publisher).open({ ...given, signature: badSignature }), 'dispute.wrong_state')
    })
    expect(await by(operator).listOpen()).toMatchObject([{ id: dispute_id, evidence: { text: given.evidence } }])
    expect(await by(operator).rule(ruling)).toEqual({ dispute_id, state: 'ruling' })
    await world.until('the ruling', async () => (await listPayouts(world.system, { goalId: fixture.goal.id }))[1]?.state === 'split')
    await expectNothingWritten(() => expectRefused(by(operator).rule({ ...ruling, payee_bps: 1 }), 'dispute.wrong_state'))
  })
})

describe('disputes.getOfGoal', () => {
  it('shows evidence and offers to parties and operators only', async () => {
    const goal_id = fixture.goal.id as never
    for (const reader of [fixture.client, fixture.publisher, operator]) {
      const seen = await by(reader).getOfGoal({ goal_id })
      expect(seen.disputes[0]?.evidence).not.toBeNull()
      expect(seen.offers.length).toBeGreaterThan(0)
    }
    for (const reader of [noParty(), by(stranger)])
      expect(await reader.getOfGoal({ goal_id })).toMatchObject({ disputes: [{ step: 2, evidence: null, reason: null }], offers: [] })
  })

  it('is refused to strangers where the goal is private', async () => {
    const open = (client: TestPerson, { agentId }: { agentId: string }) =>
      world.postFundedGoal(client, { text: 'Write two short texts, please.', visibility: 'private', planners: [agentId] })
    const hidden = await createFundedGoal(world, 'hidden-', open)
    await expectRefused(by(stranger).getOfGoal({ goal_id: hidden.goal.id as never }), 'goal.not_found')
    expect((await by(hidden.client).getOfGoal({ goal_id: hidden.goal.id as never })).disputes).toEqual([])
  })
})
