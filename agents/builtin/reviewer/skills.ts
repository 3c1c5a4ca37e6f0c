import type { SkillFunction } from '../skill.ts'
import { recomputeTrendSkill } from './recompute-trend.ts'
import { reviewSkill } from './review-work.ts'

/** Skills by id. */
export const reviewerSkills: { readonly [skill: string]: SkillFunction } = {
  'work.review': reviewSkill,
  'trend.check': recomputeTrendSkill,
}
