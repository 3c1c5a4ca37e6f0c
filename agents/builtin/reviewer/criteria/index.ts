/** Owns the rules that check a goal's criteria. Never plans or hires. Reads the tools' units and the detection of languages. */

export { checkAnswered } from './check-answered.ts'
export { checkCriterion } from './check-criterion.ts'
export { type CriterionChecker, criterionCheckers } from './criterion-checker.ts'
export { readCriterionRule } from './criterion-rule.ts'
export type { Deliverable } from './deliverable.ts'
