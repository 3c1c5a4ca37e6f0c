import type { SkillFunction } from '../skill.ts'
import { writeReportSkill } from './report.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'report.write': writeReportSkill }
