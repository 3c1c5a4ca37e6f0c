import {
  AgentId,
  DemandId,
  GoalId,
  goalStates,
  PostDemand,
  PostGoal,
  RequestQuote,
  RoomId,
  Skill,
  TaskId,
  WithdrawDemand,
} from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { actorName } from '../../context.ts'
import {
  computeGoalQuote,
  getGoal,
  listDemands,
  listGoals,
  listOwnDemands,
  signPricedQuote,
  suggestGoalsForSkill,
} from '../../goals/index.ts'
import { readPersonInbox } from '../../notifications/index.ts'
import { maxListingBytes } from '../../registry/index.ts'
import { getCardPaymentStatus } from '../../settlement/index.ts'
import { listTaskDurations } from '../../tasks/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'
import { previewPlan } from '../views/preview-plan.ts'
import { readGoalPage } from '../views/read-goal-page.ts'
import { readRoomPage } from '../views/read-room-page.ts'
import { readRoomStatus } from '../views/read-room-status.ts'

const goal = z.strictObject({ goal_id: GoalId })
const CheckoutPage = z.object({ goal_id: GoalId, url: z.url() })
/** The skills of a draft, as large as those of a listing. */
const DraftedSkills = z.strictObject({
  agent_id: AgentId.optional(),
  skills: z
    .array(Skill)
    .min(1)
    .max(16)
    .refine((skills) => JSON.stringify(skills).length <= maxListingBytes, 'The skills are larger than a listing may be.'),
  skill_id: Skill.shape.id,
})
const Posted = z.object({ goal_id: GoalId, room_id: z.string() })

export const goalsRouter = createRouter({
  list: publicProcedure
    .meta({ rate: 'search' })
    .input(
      z.strictObject({
        states: z.array(z.enum(goalStates)).max(8).optional(),
        mine: z.boolean().default(false),
        text: z.string().max(200).optional(),
        after: GoalId.optional(),
        limit: z.int().min(1).max(100).default(30),
      }),
    )
    .query(({ ctx, input }) => {
      const { states, text, after, ...rest } = input
      return listGoals(ctx.ctx, { ...rest, ...(states ? { states } : {}), ...(text ? { text } : {}), ...(after ? { after } : {}) })
    }),
  get: publicProcedure.input(goal).query(({ ctx, input }) => getGoal(ctx.ctx, input.goal_id)),
  getPage: publicProcedure.input(goal).query(({ ctx, input }) => readGoalPage(ctx.ctx, input.goal_id)),
  getRoom: publicProcedure
    .input(goal.extend({ room_id: RoomId }))
    .query(({ ctx, input }) => readRoomPage(ctx.ctx, { goalId: input.goal_id, roomId: input.room_id })),
  getRoomStatus: publicProcedure
    .input(goal.extend({ room_id: RoomId }))
    .query(({ ctx, input }) => readRoomStatus(ctx.ctx, { goalId: input.goal_id, roomId: input.room_id })),
  /**
   * What the built-in planner would do with a goal now, and the signed quote of a plan to post it with. Nothing is stored, and no other
   * agent receives the text. It changes nothing; as a mutation the text travels in the body and in no address.
   */
  quote: publicProcedure
    .meta({ rate: 'search' })
    .input(RequestQuote)
    .mutation(async ({ ctx, input }) => {
      const asked = { ...input, budget: input.budget === undefined ? null : BigInt(input.budget) }
      const { actor } = ctx.ctx
      const priced = await computeGoalQuote(ctx.ctx, asked, actor.kind === 'anonymous' ? ctx.source : actorName(actor))
      const { quote } = priced
      const plans = 'steps' in quote ? [quote] : quote.suggestions
      const agents = new Set(plans.flatMap(({ steps }) => steps.map(({ agentId }) => agentId)))
      const times = agents.size > 0 ? await listTaskDurations(ctx.ctx, [...agents]) : []
      if (!('steps' in quote)) {
        const suggestions = quote.suggestions.map((one) => ({ ...one, seconds: previewPlan(one.steps, times).seconds }))
        return { ...priced, quote: { ...quote, suggestions }, preview: null, signed: null }
      }
      return { ...priced, quote, preview: previewPlan(quote.steps, times), signed: await signPricedQuote(ctx.ctx, input, quote) }
    }),
  /**
   * Goals for which the built-in planner would hire a skill of a draft, or the reason why there are none. As `quote`, it changes nothing, and
   * the draft travels in the body.
   */
  findExamples: signedInProcedure
    .meta({ rate: 'search' })
    .input(DraftedSkills)
    .mutation(({ ctx, input }) =>
      suggestGoalsForSkill(ctx.ctx, { agentId: input.agent_id ?? null, skills: input.skills, skillId: input.skill_id }),
    ),
  /** Open demands, newest first. */
  listDemands: publicProcedure
    .meta({ rate: 'search' })
    .input(z.strictObject({ after: DemandId.optional() }).default({}))
    .query(({ ctx, input }) => listDemands(ctx.ctx, input.after)),
  /** What waits for the person: goals to fund, answer, approve or review, and demands that can be met. */
  listInbox: publicProcedure.query(({ ctx }) => readPersonInbox(ctx.ctx)),
  listOwnDemands: publicProcedure.query(({ ctx }) => listOwnDemands(ctx.ctx)),
  postDemand: publicProcedure
    .input(PostDemand.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'demand.post' })),
  withdrawDemand: publicProcedure
    .input(WithdrawDemand.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'demand.withdraw' })),
  post: publicProcedure
    .input(z.strictObject(PostGoal.shape).omit({ type: true }))
    .mutation(async ({ ctx, input }) => Posted.parse(await dispatchCommand(ctx.ctx, { type: 'goal.post', ...input }))),
  /** Opens the checkout page, or returns the open one: `{ goal_id, url }`. */
  fundByCard: publicProcedure
    .input(goal)
    .mutation(async ({ ctx, input }) => CheckoutPage.parse(await dispatchCommand(ctx.ctx, { type: 'hold.checkout', ...input }))),
  /** The state of the card payment; null if the goal is paid by wallet. */
  getCardPaymentStatus: publicProcedure.input(goal).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getCardPaymentStatus(ctx.ctx, input.goal_id)
  }),
  requestRevision: publicProcedure
    .input(
      z.strictObject({
        goal_id: GoalId,
        round: z.int().min(1).max(99),
        task_ids: z.array(TaskId).min(1).max(64),
        reason: z.string().trim().min(1).max(1_000),
      }),
    )
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'revision.request', ...input })),
  extendDeadline: publicProcedure
    .input(goal.extend({ deadline: z.iso.datetime() }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'deadline.extend', ...input })),
  pause: publicProcedure.input(goal).mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'goal.pause', ...input })),
  resume: publicProcedure.input(goal).mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'goal.resume', ...input })),
  cancel: publicProcedure
    .input(goal.extend({ reason: z.string().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'goal.cancel', ...input })),
})
