import type { SkillFunction } from '../work.ts'
import { writeReportWork } from './report.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'report.write': writeReportWork }
