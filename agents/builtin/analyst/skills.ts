import type { SkillHandler } from '@parley/agents'
import type { SkillFunction } from '../skill.ts'
import { withChecks } from './checked.ts'
import { analyseWork } from './trend.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'trend.analyse': analyseWork }

/** How it does them where there is more to it than a function: here, others may be hired. */
export const manners: { readonly [skill: string]: (alone: SkillHandler) => SkillHandler } = { 'trend.analyse': withChecks }
