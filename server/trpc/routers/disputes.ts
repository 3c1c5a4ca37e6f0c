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
  /** What is at odds in a goal, with its clocks. Evidence and offers: for the parties and operators. */
  getOfGoal: publicProcedure.input(z.object({ goal_id: GoalId })).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getDisputes(ctx.ctx, input.goal_id)
  }),
  /** For operators: what waits for a ruling. */
  listOpen: signedInProcedure.query(({ ctx }) => listOpenDisputes(ctx.ctx)),
  /**
   * What the party is to sign; `open` takes the same evidence with the signature. It changes nothing, and is posted all the same:
   * evidence is for the parties and too long for an address.
   */
  getTerms: signedInProcedure
    .meta({ rate: 'read' })
    .input(z.object({ goal_id, step, evidence, artifacts }))
    .mutation(({ ctx, input }) => getDisputeTerms(ctx.ctx, input)),
  open: publicProcedure
    .input(OpenDispute.omit({ type: true }))
    .mutation(async ({ ctx, input }) => disputed.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'dispute.open' }))),
  /** For operators who are no party of the goal. */
  rule: publicProcedure
    .input(RuleDispute.omit({ type: true }))
    .mutation(async ({ ctx, input }) => disputed.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'dispute.rule' }))),
  /** What the party is to sign: its own proposal, or by `offer_id` the other's. */
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
