import type { SkillFunction } from '../skill.ts'
import { checkWork } from './check.ts'
import { importCsvWork, importJsonWork } from './import.ts'
import { lookupWork } from './lookup.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = {
  'figures.lookup': lookupWork,
  'figures.import': importCsvWork,
  'figures.import_json': importJsonWork,
  'figures.check': checkWork,
}
