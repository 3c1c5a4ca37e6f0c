import type { SkillHandler } from '@parley/agents'
import type { SkillFunction } from '../skill.ts'
import { withCrossCheck } from './checked.ts'
import { trendSkill } from './trend.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'trend.analyse': trendSkill }

/** How it does them where there is more to it than a function: here, others may be hired. */
export const wrappers: { readonly [skill: string]: (alone: SkillHandler) => SkillHandler } = { 'trend.analyse': withCrossCheck }
