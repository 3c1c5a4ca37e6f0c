/**
 * Owns the table of who may send which command at all, and how often.
 * Never knows objects: whether this listing, goal or task is the actor's own is the verb's question.
 * Reads nothing.
 */
export { admitRate, admitToRoom, requireRate, takeRate } from './admit-rate.ts'
export { budgets, type CostClass, costOf } from './costs.ts'
export { permissions, permit, type SystemAction } from './permit.ts'
