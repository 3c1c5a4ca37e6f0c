import type { SkillFunction } from '../skill.ts'
import { checkSeriesSkill } from './check-series.ts'
import { importCsvSkill, importJsonSkill } from './import-table.ts'
import { lookUpFiguresSkill } from './look-up-figures.ts'

/** Skills by id. */
export const dataSkills: { readonly [skill: string]: SkillFunction } = {
  'figures.lookup': lookUpFiguresSkill,
  'figures.import': importCsvSkill,
  'figures.import_json': importJsonSkill,
  'figures.check': checkSeriesSkill,
}
