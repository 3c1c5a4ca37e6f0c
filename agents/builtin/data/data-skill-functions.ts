import type { SkillFunction } from '../skill.ts'
import { checkSeriesSkill } from './check-series.ts'
import { importCsvSkill, importJsonSkill } from './import-table.ts'
import { lookUpCompanyFiguresSkill } from './look-up-company-figures.ts'

/** Skills by id. */
export const dataSkillFunctions: { readonly [skill: string]: SkillFunction } = {
  'figures.lookup': lookUpCompanyFiguresSkill,
  'figures.import': importCsvSkill,
  'figures.import_json': importJsonSkill,
  'figures.check': checkSeriesSkill,
}
