import type { SkillHandler } from '@parley/agents'
import type { SkillFunction } from '../skill.ts'
import { trendSkill } from './analyse-trend.ts'
import { withCrossCheck } from './cross-check.ts'

/** Skills by id. */
export const analystSkills: { readonly [skill: string]: SkillFunction } = { 'trend.analyse': trendSkill }

/** Wrappers by skill id: the trend analysis may hire other agents. */
export const wrappers: { readonly [skill: string]: (alone: SkillHandler) => SkillHandler } = { 'trend.analyse': withCrossCheck }
