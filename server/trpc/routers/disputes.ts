import { AcceptSettlementOffer, GoalId, MakeSettlementOffer, OpenDispute, RuleDispute, SettlementOfferId } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { getGoal } from '../../goals/index.ts'
import { getDisputesAndOffers, getDisputeTypedData, getSettlementOfferTypedData, listOpenDisputes } from '../../settlement/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

const { goal_id, step, evidence, artifacts } = OpenDispute.shape
const { payee_bps, deadline } = MakeSettlementOffer.shape
const disputed = z.object({ dispute_id: z.string(), state: z.string() })
const offered = z.object({ settlement_offer_id: z.string(), state: z.string() })

export const disputesRouter = createRouter({
  /** The disputes of a goal, with their deadlines. Evidence and offers: for the parties and operators. */
  getOfGoal: publicProcedure.input(z.strictObject({ goal_id: GoalId })).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getDisputesAndOffers(ctx.ctx, input.goal_id)
  }),
  /** For operators: disputes that wait for a ruling. */
  listOpen: signedInProcedure.query(({ ctx }) => listOpenDisputes(ctx.ctx)),
  /**
   * What the party signs; `open` takes the same evidence with the signature. It changes nothing, but is a mutation, because evidence is
   * confidential and too long for a URL.
   */
  getTerms: signedInProcedure
    .meta({ rate: 'read' })
    .input(z.strictObject({ goal_id, step, evidence, artifacts }))
    .mutation(({ ctx, input }) => getDisputeTypedData(ctx.ctx, input)),
  open: publicProcedure
    .input(OpenDispute.omit({ type: true }))
    .mutation(async ({ ctx, input }) => disputed.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'dispute.open' }))),
  /** For operators who are not a party of the goal. */
  rule: publicProcedure
    .input(RuleDispute.omit({ type: true }))
    .mutation(async ({ ctx, input }) => disputed.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'dispute.rule' }))),
  /** What the party signs: its own offer, or the other party's by `settlement_offer_id`. */
  getSettlementOfferTerms: signedInProcedure
    .input(z.union([z.strictObject({ settlement_offer_id: SettlementOfferId }), z.strictObject({ goal_id, step, payee_bps, deadline })]))
    .query(({ ctx, input }) => getSettlementOfferTypedData(ctx.ctx, input)),
  makeSettlementOffer: publicProcedure
    .input(MakeSettlementOffer.omit({ type: true }))
    .mutation(async ({ ctx, input }) => offered.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'settlement_offer.make' }))),
  acceptSettlementOffer: publicProcedure
    .input(AcceptSettlementOffer.omit({ type: true }))
    .mutation(async ({ ctx, input }) => offered.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'settlement_offer.accept' }))),
})
