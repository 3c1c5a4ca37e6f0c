/** Owns the rules that check a goal's criteria. Never plans or hires. Reads the tools' units and the detection of languages. */

export { checkAnswerExists } from './check-answer-exists.ts'
export { checkCriterion } from './check-criterion.ts'
export { type CriterionChecker, chooseCriterionCheckers } from './choose-criterion-checkers.ts'
export { readCriterionRule } from './criterion-rule.ts'
export type { Deliverable } from './deliverable.ts'
