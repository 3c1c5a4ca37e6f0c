/**
 * Owns permissions by command, rate limits, and the operators' rules with their denials.
 * Never knows objects: the command handler checks whether a listing, goal or task belongs to the actor.
 * Reads audit.
 */

export { admitRate, consumeRateLimit, consumeRoomRate, requireRateLeft } from './consume-rate-limit.ts'
export { createRule } from './create-rule.ts'
export { enforceRules, isAllowed } from './enforce-rules.ts'
export { operatorsOnly } from './errors.ts'
export { listRules, type RuleDenialView, type RulesView } from './list-rules.ts'
export { permissions, permit, requirePermission, type SystemAction } from './permit.ts'
export { type CostClass, costClassOf, rateLimits } from './rate-limit-policy.ts'
export { requireOperator } from './require-operator.ts'
export { requireScope, requireScopeFor } from './require-scope.ts'
export { revokeRule } from './revoke-rule.ts'
export { activeRules } from './rule-cache.ts'
