import type { SkillFunction } from '../skill.ts'
import { writeTrendReportSkill } from './write-trend-report.ts'

/** Skills by id. */
export const writerSkillFunctions: { readonly [skill: string]: SkillFunction } = { 'report.write': writeTrendReportSkill }
