/**
 * Owns the table of who may send which command at all, how often, and the rules by which operators forbid or hold what else
 * would be allowed, with whom they have stopped.
 * Never knows objects: whether this listing, goal or task is the actor's own is the verb's question; what a command is about
 * is told to it.
 * Reads audit.
 */
export { admitRate, admitToRoom, requireRate, takeRate } from './admit-rate.ts'
export { budgets, type CostClass, costOf } from './costs.ts'
export { liftRule } from './lift-rule.ts'
export { listRules, type RulesView, type StopView } from './list-rules.ts'
export { requireOperator } from './operators.ts'
export { permissions, permit, requirePermission, type SystemAction } from './permit.ts'
export { isAllowed, requireAllowed } from './require-allowed.ts'
export { rulesInForce } from './rules.ts'
export { setRule } from './set-rule.ts'
