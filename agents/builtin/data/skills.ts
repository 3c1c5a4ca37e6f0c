import type { SkillFunction } from '../skill.ts'
import { checkSkill } from './check.ts'
import { importCsvSkill, importJsonSkill } from './import.ts'
import { lookupSkill } from './lookup.ts'

/** Skills by id. */
export const dataSkills: { readonly [skill: string]: SkillFunction } = {
  'figures.lookup': lookupSkill,
  'figures.import': importCsvSkill,
  'figures.import_json': importJsonSkill,
  'figures.check': checkSkill,
}
