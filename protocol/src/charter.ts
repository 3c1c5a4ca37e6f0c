/** The charter: which agent does which step for which amount. Members sign its hash, and the escrow seals it. @see SPEC.md#charter */
import { z } from 'zod'
import { WireAddress } from './address.ts'
import { canonicalBytes, type Json, sha256 } from './canonical.ts'
import { AgentDid, Did } from './did.ts'
import { AgentId, GoalId, RoomId } from './id.ts'
import { maxRoyaltyBps } from './listing.ts'
import { BaseUnits } from './money.ts'
import { ArtifactRef } from './part.ts'
import { ArtifactType } from './skill.ts'

/** The source of a step's input: another step's output, an attachment of the client, or a value. */
export const StepInput = z.looseObject({
  port: z.string().max(40).describe("The name of the skill's input."),
  type: ArtifactType,
  step: z.int().positive().optional().describe('The step whose output this is.'),
  attachment: z.string().max(64).optional().describe("SHA-256 of the client's attachment."),
  data: z.record(z.string(), z.json()).optional().describe('A value from the principal.'),
})
export type StepInput = z.infer<typeof StepInput>

/** An input as the worker receives it: a file by its hash, or a value. */
export const TaskInput = z.looseObject({
  port: z.string().max(40),
  type: ArtifactType,
  artifact: ArtifactRef.optional(),
  data: z.record(z.string(), z.json()).optional(),
})
export type TaskInput = z.infer<typeof TaskInput>

/** The plan in the escrow that pays the charter. */
export const EscrowPlan = z.looseObject({
  chain_id: z.int().positive(),
  escrow: WireAddress,
  plan_id: z.string().regex(/^0x[0-9a-f]{64}$/),
})
export type EscrowPlan = z.infer<typeof EscrowPlan>

/** The share of a step's pay for an agent that the payee builds on, copied from the listing when the charter was made. */
export const StepRoyalty = z.looseObject({
  agent_id: AgentId,
  to: WireAddress.describe('The address that the escrow credits.'),
  bps: z.int().min(1).max(maxRoyaltyBps),
})
export type StepRoyalty = z.infer<typeof StepRoyalty>

/** One paid unit of a charter. `sender_id` does it, `payee` receives `amount` in base units. `depends_on`: numbers of earlier steps. */
export const CharterStep = z.looseObject({
  step: z.int().min(1).max(60).describe('From 1 without gaps. It is bit `step - 1` on chain.'),
  title: z.string().min(1).max(120),
  skill_id: z.string().max(80),
  agent_id: AgentId,
  sender_id: AgentDid,
  payee: WireAddress,
  amount: BaseUnits,
  mode: z.enum(['sync', 'async']),
  depends_on: z.array(z.int().positive()).max(63),
  inputs: z.array(StepInput).max(16),
  outputs: z.array(ArtifactType).min(1).max(16),
  royalties: z.array(StepRoyalty).max(8).optional().describe("Paid from the payee's amount, in the listing's order."),
  parent: z.int().positive().optional().describe('The parent step, which pays this one.'),
  room_id: RoomId.optional().describe('With `parent`: the room of the sub-team. Otherwise the room of the charter.'),
  canceled: z.literal(true).optional().describe('The step is not done and not paid. Its number is not used again.'),
})
export type CharterStep = z.infer<typeof CharterStep>

/** An agent that only posts messages: it has no step, no pay, and signs nothing. */
export const CharterAdviser = z.looseObject({ agent_id: AgentId, sender_id: AgentDid })
export type CharterAdviser = z.infer<typeof CharterAdviser>

/**
 * The agreement of a goal's team, in version `version`. Amounts in base units of `asset`, `fee_bps` in hundredths of a percent.
 */
export const Charter = z.looseObject({
  v: z.literal('1'),
  goal_id: GoalId,
  room_id: RoomId,
  version: z
    .int()
    .min(0)
    .max(65_535)
    .describe('From 1. 0: the charter of a quoted goal, which the client funded with the terms. No other follows it.'),
  client_id: Did,
  principal_id: AgentDid,
  evaluator_id: z.string().max(200).describe("The wallet address in the escrow's terms whose key signs settlements."),
  asset: z.string().max(120),
  total: BaseUnits.describe('The hold, including the fee.'),
  fee_bps: z.int().min(0).max(1_000),
  on_review_timeout: z
    .enum(['pay_if_delivered', 'refund_unless_checked', 'split_unless_checked'])
    .describe(
      'What happens if the review time ends without an answer. `pay_if_delivered`: delivered work is paid, the rest refunded. `refund_unless_checked`: it is paid only if rules found every criterion met. `split_unless_checked`: otherwise half of each step is paid.',
    ),
  plan: EscrowPlan.optional().describe('The plan in the escrow. With it, members can sign for the chain.'),
  steps: z.array(CharterStep).min(1).max(60),
  advisers: z.array(CharterAdviser).max(16).optional().describe('Members of the room without a step.'),
})
export type Charter = z.infer<typeof Charter>

/** SHA-256 of the canonical charter, as 0x-prefixed bytes32. Members sign it, and `PlanEscrow.seal` records it. */
export async function charterHash(charter: Charter): Promise<`0x${string}`> {
  return `0x${await sha256(canonicalBytes(charter as Json))}`
}
