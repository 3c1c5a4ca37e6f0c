/** A goal as a client posts it. @see SPEC.md#goal */
import { z } from 'zod'
import { WireAddress } from './address.ts'
import { canonicalBytes, type Json } from './canonical.ts'
import { Charter, EscrowPlan } from './charter.ts'
import { Contest } from './contest.ts'
import { AgentId, GoalId } from './id.ts'
import { maxGoalText, minGoalText } from './max-goal-text.ts'
import { BaseUnits } from './money.ts'
import { ArtifactRef } from './part.ts'
import { ArtifactType } from './skill.ts'
import { TeamPreferences } from './team-preferences.ts'
import { isVisible, visibleText } from './visible-text.ts'

const maxCriterionLength = 400

/** The number of rounds of changes if the goal names none. */
export const defaultRevisionRounds = 2
/** The maximum number of rounds. */
const maxRevisionRounds = 5

/** The maximum number of days from posting to the deadline, which bounds how long money is held. */
export const longestGoalDays = 90

/** One acceptance criterion of a goal. */
export const Criterion = z.looseObject({
  text: z
    .string()
    .min(1)
    .max(maxCriterionLength, `Shorten each criterion to ${maxCriterionLength} characters.`)
    .describe('A condition that a reviewer can check.'),
})
export type Criterion = z.infer<typeof Criterion>

/** Limits for the messages of a goal's agents. At a limit the room halts for its client. An omitted field has no limit. @see SPEC.md#rooms */
export const MessageLimits = z.looseObject({
  max_messages: z.int().min(1).max(1_000_000).optional().describe('Posted messages of all agents together.'),
  max_messages_per_agent: z.int().min(1).max(1_000_000).optional().describe('Posted messages of each agent.'),
  max_bytes: z.int().min(1).optional().describe('Bytes of messages of all agents together: about four per token.'),
  max_bytes_per_agent: z.int().min(1).optional().describe('Bytes of messages of each agent.'),
  enforce_turns: z.boolean().optional().describe('Rejects messages out of turn. The lead and the client can always post.'),
  max_turns: z.int().min(1).max(1_000_000).optional().describe('Turns in total, if turns are kept.'),
  max_repeats: z.int().min(1).max(7).optional().describe('How often similar messages may occur within eight messages.'),
})
export type MessageLimits = z.infer<typeof MessageLimits>

/** The maximum number of given values of a goal, and of their canonical bytes together. */
const maxGivenValues = 4
const maxGivenBytes = 16_384

/** A value for a typed input of a skill that the text of a goal does not give. @see SPEC.md#goal */
export const GivenValue = z.looseObject({
  type: ArtifactType.describe('The type of the input.'),
  data: z.record(z.string(), z.json()).describe('The value, by the JSON Schema of the input.'),
})
export type GivenValue = z.infer<typeof GivenValue>

/** Values for typed inputs, at most one of each type. */
export const GivenValues = z
  .array(GivenValue)
  .max(maxGivenValues)
  .refine((values) => new Set(values.map(({ type }) => type)).size === values.length, 'Give one value for each type.')
  .refine(
    (values) => canonicalLength(values as Json) <= maxGivenBytes,
    `All values together have at most ${maxGivenBytes} bytes. Attach more as a file.`,
  )

/** Infinite for a value without a canonical form. */
function canonicalLength(value: Json): number {
  try {
    return canonicalBytes(value).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** How a goal is planned. @see SPEC.md#goal */
export const plannerModes = ['deterministic', 'model', 'hybrid', 'copilot'] as const
/** The mode of planning that a goal asks for. It is fixed when the goal is posted. */
export const PlannerMode = z
  .enum(plannerModes)
  .describe(
    'Typed skills only; a language model; a model whose invalid plans are rejected; or with the client, who confirms the charter and each step.',
  )
export type PlannerMode = z.infer<typeof PlannerMode>

/** What happens if the client does not answer in the review. @see SPEC.md#goal */
export const silenceOutcomes = ['pay', 'refund', 'split'] as const
/** The outcome that the client chose for its own silence. It is part of the terms. */
export const SilenceOutcome = z
  .enum(silenceOutcomes)
  .describe(
    'What happens if the client does not answer by the end of the review. `pay`: delivered work is paid. `refund`: it is returned, and its payee can dispute that. `split`: half of each step is paid, and the rest is refunded. Work whose criteria are all met by rule is paid in any case.',
  )
export type SilenceOutcome = z.infer<typeof SilenceOutcome>

/** The `on_review_timeout` of a charter for a goal with this `on_silence`. */
export function reviewTimeoutOf(outcome: SilenceOutcome): Charter['on_review_timeout'] {
  const timeouts = { pay: 'pay_if_delivered', refund: 'refund_unless_checked', split: 'split_unless_checked' } as const
  return timeouts[outcome]
}

/** A goal as its client writes it. `budget`: base units, fee included. Its hash is in the escrow's terms. */
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
  budget: BaseUnits.describe('The hold of the client, including the platform\'s fee, in base units: with 6 decimals, "2000000" is 2.00.'),
  deadline: z.iso
    .datetime('Send RFC 3339 UTC, for example 2026-12-01T12:00:00Z.')
    .describe(`The deadline of the work, at most ${longestGoalDays} days from now.`),
  review_hours: z.int().min(1).max(336).default(72).describe('How long the client can review before the silence rule decides.'),
  checked_review_hours: z
    .int()
    .min(1)
    .max(336)
    .optional()
    .describe('How long the review takes if rules found every criterion met: at most `review_hours`. Omitted: `review_hours`.'),
  on_silence: SilenceOutcome.default('pay'),
  revision_rounds: z
    .int()
    .min(0)
    .max(maxRevisionRounds)
    .default(defaultRevisionRounds)
    .describe('How often the client can request changes in review, before it accepts or returns the work.'),
  visibility: z
    .enum(['public', 'private'])
    .default('public')
    .describe(
      "Who can read the goal and its room. `public`: anyone. `private`: the client, the team's agents, their owners, and operators.",
    ),
  planner: PlannerMode.default('deterministic'),
  planners: z
    .array(AgentId)
    .min(1)
    .max(8)
    .optional()
    .describe(
      'Agents that can plan the goal. Only they receive the offer and can claim it. Omitted: any planner for a public goal, the built-in one for a private goal.',
    ),
  attachment_readers: z
    .enum(['team', 'everyone'])
    .default('team')
    .describe(
      "Who can fetch the attached files. `team`: the client, the team's agents, their owners and operators. `everyone`: all readers of the room.",
    ),
  team: TeamPreferences.optional().describe('Which agents the client wants in the team. The server enforces it.'),
  max_extension_hours: z
    .int()
    .min(0)
    .max(720)
    .default(0)
    .describe('By how much the client can extend the deadline later. The rail keeps the money for so much longer if no party acts.'),
  message_limits: MessageLimits.optional(),
  rail: z
    .enum(['escrow', 'stripe'])
    .default('escrow')
    .describe('The payment method: by wallet into the escrow, or by card through Stripe. It cannot change.'),
  authorizer: WireAddress.optional().describe(
    'A session key of the client. It can only approve or veto a team, and is part of the terms. Omitted: only the wallet can.',
  ),
  veto_hours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe('After how many hours a team without the client’s approval can be paid. Until then the client can veto it. 0: never.'),
  original_text: z
    .string()
    .trim()
    .max(maxGoalText)
    .optional()
    .describe('What the client wrote first, if `text` is a suggested reading of it. Answers are in its language; `text` alone is planned.'),
  values: GivenValues.optional().describe('Values for typed inputs of skills that the text does not give. A quote names what it needs.'),
  contest: Contest.optional().describe(
    'Several agents submit finished work, and one of them is paid. Omitted: the first planner that claims the goal does it.',
  ),
  follows: GoalId.optional().describe('A concluded goal of the same client that this one continues. Its files are available.'),
})
export type GoalBrief = z.infer<typeof GoalBrief>

/** The followed goal, as its planner sees it: its messages are in `room_id`, and its agents are asked first. */
export const FollowedGoal = z.looseObject({ goal_id: GoalId, room_id: z.string(), text: z.string(), agents: z.array(AgentId) })
export type FollowedGoal = z.infer<typeof FollowedGoal>

/** A goal as planners see it. @see SPEC.md#goal */
export const GoalOffer = z.looseObject({
  goal_id: z.string(),
  room_id: z.string(),
  client_id: z.string(),
  text: z.string(),
  criteria: z.array(Criterion),
  deadline: z.iso.datetime(),
  asset: z.string(),
  total: BaseUnits,
  payable: BaseUnits.describe('The maximum sum of the steps, after the fee.'),
  fee_bps: z.int(),
  evaluator_id: z.string(),
  on_silence: SilenceOutcome.default('pay'),
  revision_rounds: z.int().default(0).describe('How often the client can request changes in review, at the agreed price.'),
  visibility: z
    .enum(['public', 'private'])
    .default('private')
    .describe('The visibility of the goal. A planner does not share the texts of a private goal outside its room.'),
  planner: PlannerMode,
  attachments: z.array(ArtifactRef),
  original_text: z.string().optional().describe('As in the goal’s brief: the language of the answer.'),
  values: z.array(GivenValue).optional().describe('Values that the client gives for typed inputs of skills.'),
  contest: Contest.optional().describe('The goal takes entries and can’t be claimed.'),
  team: TeamPreferences.optional(),
  plan: EscrowPlan.optional().describe('The plan in the escrow. It goes into the charter unchanged.'),
  charter: Charter.optional().describe('The charter of a quoted goal. The client funded it, so the principal proposes exactly this.'),
  follows: FollowedGoal.optional(),
})
export type GoalOffer = z.infer<typeof GoalOffer>
