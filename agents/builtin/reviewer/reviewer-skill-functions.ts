import type { SkillFunction } from '../skill.ts'
import { recomputeTrendSkill } from './recompute-trend.ts'
import { reviewWorkSkill } from './review-work.ts'

/** Skills by id. */
export const reviewerSkillFunctions: { readonly [skill: string]: SkillFunction } = {
  'work.review': reviewWorkSkill,
  'trend.check': recomputeTrendSkill,
}
