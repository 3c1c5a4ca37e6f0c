import type { SkillFunction } from '../work.ts'
import { analyseWork } from './trend.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'trend.analyse': analyseWork }
