import type { SkillFunction } from '../skill.ts'
import { recountWork } from './recompute.ts'
import { reviewWork } from './review.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'work.review': reviewWork, 'trend.check': recountWork }
