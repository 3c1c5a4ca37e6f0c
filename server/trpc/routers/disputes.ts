import { AcceptOffer, GoalId, MakeOffer, OfferId, OpenDispute, RuleDispute } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { getGoal } from '../../goals/index.ts'
import { getDisputes, getDisputeTerms, getOfferTerms, listOpenDisputes } from '../../settlement/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../init.ts'

const { goal_id, step, evidence, artifacts } = OpenDispute.shape
const { payee_bps, deadline } = MakeOffer.shape
const disputed = z.object({ dispute_id: z.string(), state: z.string() })
const offered = z.object({ offer_id: z.string(), state: z.string() })

export const disputesRouter = createRouter({
  /** The disputes of a goal, with their deadlines. Evidence and offers: for the parties and operators. */
  getOfGoal: publicProcedure.input(z.object({ goal_id: GoalId })).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getDisputes(ctx.ctx, input.goal_id)
  }),
  /** For operators: disputes that wait for a ruling. */
  listOpen: signedInProcedure.query(({ ctx }) => listOpenDisputes(ctx.ctx)),
  /**
   * What the party signs; `open` takes the same evidence with the signature. It changes nothing, but is a mutation, because evidence is
   * confidential and too long for a URL.
   */
  getTerms: signedInProcedure
    .meta({ rate: 'read' })
    .input(z.object({ goal_id, step, evidence, artifacts }))
    .mutation(({ ctx, input }) => getDisputeTerms(ctx.ctx, input)),
  open: publicProcedure
    .input(OpenDispute.omit({ type: true }))
    .mutation(async ({ ctx, input }) => disputed.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'dispute.open' }))),
  /** For operators who are not a party of the goal. */
  rule: publicProcedure
    .input(RuleDispute.omit({ type: true }))
    .mutation(async ({ ctx, input }) => disputed.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'dispute.rule' }))),
  /** What the party signs: its own offer, or the other party's by `offer_id`. */
  getOfferTerms: signedInProcedure
    .input(z.union([z.object({ offer_id: OfferId }), z.object({ goal_id, step, payee_bps, deadline })]))
    .query(({ ctx, input }) => getOfferTerms(ctx.ctx, input)),
  makeOffer: publicProcedure
    .input(MakeOffer.omit({ type: true }))
    .mutation(async ({ ctx, input }) => offered.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'offer.make' }))),
  acceptOffer: publicProcedure
    .input(AcceptOffer.omit({ type: true }))
    .mutation(async ({ ctx, input }) => offered.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'offer.accept' }))),
})
