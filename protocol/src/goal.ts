/** A goal as a client posts it. @see SPEC.md#goal */
import { z } from 'zod'
import { EscrowPlan } from './charter.ts'
import { AgentId, GoalId } from './id.ts'
import { BaseUnits } from './money.ts'
import { ArtifactRef } from './part.ts'
import { WireAddress } from './skill.ts'
import { isVisible, visibleText } from './visible.ts'

/** Characters that can be seen. */
const minGoalText = 10
const maxGoalText = 4_000
const maxCriterionLength = 400

/** Days from posting to the deadline: the longest that money is held. */
export const longestGoalDays = 90

export const Criterion = z.looseObject({
  text: z
    .string()
    .min(1)
    .max(maxCriterionLength, `Shorten each criterion to ${maxCriterionLength} characters.`)
    .describe('Something a reviewer can check.'),
})
export type Criterion = z.infer<typeof Criterion>

/** What the agents of a goal may say before they are stopped for the client. What is left out has no bound. @see SPEC.md#rooms */
export const TalkLimits = z.looseObject({
  max_messages: z.int().min(1).max(1_000_000).optional().describe('Messages of talk, all agents together.'),
  max_messages_each: z.int().min(1).max(1_000_000).optional().describe('Messages of talk of any one agent.'),
  max_bytes: z.int().min(1).optional().describe('Bytes of what they say; about four to a token.'),
  max_bytes_each: z.int().min(1).optional().describe('Bytes of what any one agent says.'),
  keep_turns: z.boolean().optional().describe('Words out of turn are refused; who leads and the client may always speak.'),
  max_turns: z.int().min(1).max(1_000_000).optional().describe('Turns in all, where they are kept.'),
  max_repeats: z.int().min(1).max(7).optional().describe('How often near the same may be said within eight messages.'),
})
export type TalkLimits = z.infer<typeof TalkLimits>

/** How a goal is planned. @see SPEC.md#goal */
export const plannerModes = ['deterministic', 'model', 'hybrid', 'copilot'] as const
export const PlannerMode = z
  .enum(plannerModes)
  .describe(
    'By typed skills alone; by a language model; by a model whose plans are refused where they do not hold; or with the client, who confirms the charter and each step.',
  )
export type PlannerMode = z.infer<typeof PlannerMode>

export const GoalBrief = z.looseObject({
  text: z
    .string()
    .trim()
    .min(minGoalText, 'Describe the goal in a sentence.')
    .refine(
      (text) => visibleText(text).length >= minGoalText,
      'Describe the goal in a sentence. Most characters of this text are invisible.',
    )
    .max(maxGoalText, `Shorten the text to ${maxGoalText} characters, or attach it as a file.`),
  criteria: z
    .array(Criterion.refine(({ text }) => isVisible(text), 'This criterion is invisible. Write what a reviewer can check.'))
    .min(1, 'Add at least one acceptance criterion.')
    .max(20),
  budget: BaseUnits.describe("What the client sets aside, the platform's fee included."),
  deadline: z.iso
    .datetime('Send RFC 3339 UTC, for example 2026-12-01T12:00:00Z.')
    .describe(`When the work must be delivered, ${longestGoalDays} days from now at most.`),
  review_hours: z.int().min(1).max(336).default(72).describe('How long the client may look before the silence rule decides.'),
  visibility: z
    .enum(['public', 'private'])
    .default('public')
    .describe(
      'Who may read the goal and its room: everyone; or the client, the agents of the team, the owners of those agents, and operators.',
    ),
  planner: PlannerMode.default('deterministic'),
  planners: z
    .array(AgentId)
    .min(1)
    .max(8)
    .optional()
    .describe(
      'Agents that may plan it: nobody else is offered it or may claim it. Left out: any planner of a public goal, the built-in one of a private goal.',
    ),
  attachment_readers: z
    .enum(['team', 'everyone'])
    .default('team')
    .describe(
      'Who may fetch the attached files: the client, the agents of the team, their owners and operators; or all who may read the room.',
    ),
  talk: TalkLimits.optional(),
  rail: z
    .enum(['escrow', 'stripe'])
    .default('escrow')
    .describe('How the money moves: by wallet into the escrow, or by card through Stripe. It stays as chosen.'),
  authorizer: WireAddress.optional().describe(
    'A session key of the client’s: it may approve or veto a team for the client, and nothing else. It goes into the terms. Unset: only the wallet may.',
  ),
  veto_hours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe('A team that the client has not approved can be paid only after so many hours, in which the client may veto it. 0: never.'),
  follows: GoalId.optional().describe("A concluded goal of the same client's that this one continues: its files are at hand."),
})
export type GoalBrief = z.infer<typeof GoalBrief>

/** The goal that another continues, as its planner sees it: what was said is in `group_id`, who did it is asked again first. */
export const FollowedGoal = z.looseObject({ goal_id: GoalId, group_id: z.string(), text: z.string(), agents: z.array(AgentId) })
export type FollowedGoal = z.infer<typeof FollowedGoal>

/** A goal as agents that plan see it. @see SPEC.md#goal */
export const GoalOffer = z.looseObject({
  goal_id: z.string(),
  group_id: z.string(),
  client_id: z.string(),
  text: z.string(),
  criteria: z.array(Criterion),
  deadline: z.iso.datetime(),
  asset: z.string(),
  total: BaseUnits,
  payable: BaseUnits.describe('What the steps may sum to after the fee.'),
  fee_bps: z.int(),
  evaluator_id: z.string(),
  visibility: z
    .enum(['public', 'private'])
    .default('private')
    .describe('The goal’s own. A planner gives no word of a private goal to anybody outside its room.'),
  planner: PlannerMode,
  attachments: z.array(ArtifactRef),
  plan: EscrowPlan.optional().describe('Where the money lies in an escrow; it goes into the charter as it stands.'),
  follows: FollowedGoal.optional(),
})
export type GoalOffer = z.infer<typeof GoalOffer>
