/** Commands of copilot goals, in which the client approves charters: submit, confirm and refuse. @see SPEC.md#goal */
import { z } from 'zod'
import { Charter } from './charter.ts'
import { GoalId } from './id.ts'

const step = z.int().min(1).max(60)
const charter_hash = z.string().regex(/^0x[0-9a-f]{64}$/)

/** In a copilot goal, the principal submits a charter to its client. No agent is invited before the client has confirmed it. */
export const SubmitCharter = z.looseObject({
  type: z.literal('charter.submit'),
  goal_id: GoalId,
  charter: Charter,
  reason: z.string().max(1_000).default('').describe('Why the principal chose this charter: one sentence for the client.'),
})
/** The client confirms the charter. `steps`: those that can be assigned without another question. The client can confirm more later. */
export const ConfirmCharter = z.looseObject({
  type: z.literal('charter.confirm'),
  goal_id: GoalId,
  charter_hash: charter_hash.describe('Of the charter that the client has read. A newer charter needs its own confirmation.'),
  steps: z.array(step).max(60).default([]),
})
/** The client refuses the charter, or an unassigned step of a confirmed one. The principal submits another. */
export const RefuseCharter = z.looseObject({
  type: z.literal('charter.refuse'),
  goal_id: GoalId,
  charter_hash,
  step: step.optional(),
  reason: z.string().min(1).max(1_000),
})

/** The commands of a charter that its client confirms, as members of `Command`. */
export const charterApprovalCommands = [SubmitCharter, ConfirmCharter, RefuseCharter] as const

export type SubmitCharter = z.infer<typeof SubmitCharter>
export type ConfirmCharter = z.infer<typeof ConfirmCharter>
export type RefuseCharter = z.infer<typeof RefuseCharter>
