import type { SkillFunction } from '../skill.ts'
import { writeReportSkill } from './report.ts'

/** Skills by id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'report.write': writeReportSkill }
