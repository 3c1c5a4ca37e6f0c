import type { SkillFunction } from '../skill.ts'
import { checkSkill } from './check-series.ts'
import { importCsvSkill, importJsonSkill } from './import-table.ts'
import { lookupSkill } from './look-up-figures.ts'

/** Skills by id. */
export const dataSkills: { readonly [skill: string]: SkillFunction } = {
  'figures.lookup': lookupSkill,
  'figures.import': importCsvSkill,
  'figures.import_json': importJsonSkill,
  'figures.check': checkSkill,
}
