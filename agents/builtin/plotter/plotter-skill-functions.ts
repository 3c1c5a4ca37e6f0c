import type { SkillFunction } from '../skill.ts'
import { drawSvgSkill } from './draw-svg-chart.ts'
import { drawTextSkill } from './draw-text-chart.ts'

/** Skills by id. */
export const plotterSkillFunctions: { readonly [skill: string]: SkillFunction } = {
  'chart.draw_text': drawTextSkill,
  'chart.draw_svg': drawSvgSkill,
}
