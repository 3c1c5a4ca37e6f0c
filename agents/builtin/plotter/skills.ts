import type { SkillFunction } from '../skill.ts'
import { drawSvgWork } from './svg.ts'
import { drawTextWork } from './text.ts'

/** What this agent does, by skill id. */
export const skills: { readonly [skill: string]: SkillFunction } = { 'chart.draw_text': drawTextWork, 'chart.draw_svg': drawSvgWork }
