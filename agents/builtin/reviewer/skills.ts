import type { SkillFunction } from '../skill.ts'
import { recomputeSkill } from './recompute.ts'
import { reviewSkill } from './review.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'work.review': reviewSkill, 'trend.check': recomputeSkill }
