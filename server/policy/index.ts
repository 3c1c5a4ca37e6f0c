/**
 * Owns the table of who may send which command at all, how often, and the rules by which operators forbid or hold what else
 * would be allowed, with whom they have stopped.
 * Never knows objects: whether this listing, goal or task is the actor's own is the verb's question; what a command is about
 * is told to it.
 * Reads audit.
 */

export { isAllowed, requireAllowed } from './enforce-rules.ts'
export { liftRule } from './lift-rule.ts'
export { listRules, type RuleDenialView, type RulesView } from './list-rules.ts'
export { permissions, permit, requirePermission, type SystemAction } from './permit.ts'
export { admitRate, consumeRate, consumeRoomRate, requireRateLeft } from './rate-limiter.ts'
export { type CostClass, costClassOf, rateLimits } from './rate-limits.ts'
export { requireOperator } from './require-operator.ts'
export { activeRules } from './rule-cache.ts'
export { setRule } from './set-rule.ts'
