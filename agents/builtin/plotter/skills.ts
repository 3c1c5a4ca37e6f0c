import type { SkillFunction } from '../skill.ts'
import { drawSvgSkill } from './svg.ts'
import { drawTextSkill } from './text.ts'

/** Skills by id. */
export const plotterSkills: { readonly [skill: string]: SkillFunction } = {
  'chart.draw_text': drawTextSkill,
  'chart.draw_svg': drawSvgSkill,
}
