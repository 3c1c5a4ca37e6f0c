/** Owns the deterministic tools and how their listings group them. Never plans, and never uses the network or a model. */
import type { SkillFunction } from '../skill.ts'
import { withTranslatedAnswers } from './answer-translation/with-translated-answers.ts'
import { formatTools } from './formats/index.ts'
import { numberTools } from './numbers/index.ts'
import { tableTools } from './tables/index.ts'
import { textTools } from './text/index.ts'
import type { Tool } from './tool.ts'
import { withAcceptedMediaTypes } from './with-accepted-media-types.ts'

export type ToolGroup = 'calculator' | 'tables' | 'text' | 'formats'

/** The tools of each listing. */
export const toolGroups: { readonly [group in ToolGroup]: readonly Tool[] } = {
  calculator: numberTools.map(withTranslatedAnswers).map(withAcceptedMediaTypes),
  tables: tableTools.map(withTranslatedAnswers).map(withAcceptedMediaTypes),
  text: textTools.map(withTranslatedAnswers).map(withAcceptedMediaTypes),
  formats: formatTools.map(withTranslatedAnswers).map(withAcceptedMediaTypes),
}

export const builtinTools: readonly Tool[] = Object.values(toolGroups).flat()

/** The functions of a group, by skill id. */
export const toolSkills = (group: ToolGroup): { readonly [skill: string]: SkillFunction } =>
  Object.fromEntries(toolGroups[group].map(({ skill, run }) => [skill.id, run]))
