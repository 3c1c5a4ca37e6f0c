import type { SkillHandler } from '@parley/agents'
import type { SkillFunction } from '../skill.ts'
import { analyseTrendSkill } from './analyse-trend.ts'
import { withHiredCrossCheck } from './with-hired-cross-check.ts'

/** Skills by id. */
export const analystSkillFunctions: { readonly [skill: string]: SkillFunction } = { 'trend.analyse': analyseTrendSkill }

/** Wrappers by skill id: the trend analysis may hire other agents. */
export const analystWrappers: { readonly [skill: string]: (alone: SkillHandler) => SkillHandler } = { 'trend.analyse': withHiredCrossCheck }
