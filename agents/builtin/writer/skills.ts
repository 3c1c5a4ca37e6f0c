import type { SkillFunction } from '../skill.ts'
import { writeReportSkill } from './write-report.ts'

/** Skills by id. */
export const writerSkills: { readonly [skill: string]: SkillFunction } = { 'report.write': writeReportSkill }
