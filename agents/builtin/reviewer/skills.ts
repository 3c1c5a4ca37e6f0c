import type { SkillFunction } from '../skill.ts'
import { recomputeSkill } from './recompute.ts'
import { reviewSkill } from './review.ts'

/** Skills by id. */
export const reviewerSkills: { readonly [skill: string]: SkillFunction } = { 'work.review': reviewSkill, 'trend.check': recomputeSkill }
