/** Commands of operators for rules. @see SPEC.md#rules */
import { z } from 'zod'
import { RuleId } from './id.ts'
import { RuleDraft } from './rule.ts'

/** Sets a rule. It is in force in every process within a second. */
export const CreateRule = z.looseObject({ type: z.literal('rule.create'), rule: RuleDraft })
/** An operator ends a rule. It is no longer in force in any process within a second. */
export const RevokeRule = z.looseObject({ type: z.literal('rule.revoke'), rule_id: RuleId })

/** The commands of rules, as members of `Command`. */
export const ruleCommands = [CreateRule, RevokeRule] as const
export type CreateRule = z.infer<typeof CreateRule>
export type RevokeRule = z.infer<typeof RevokeRule>
