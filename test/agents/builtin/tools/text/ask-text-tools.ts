/** Asks the text tools a goal as the planner does, and does the work. */
import { expect } from 'vitest'
import { findQuotations, withoutQuotations } from '../../../../../agents/builtin/planner/intent/find-quotations.ts'
import { SkillRefused } from '../../../../../agents/builtin/skill.ts'
import { textTools } from '../../../../../agents/builtin/tools/text/index.ts'
import type { ToolGoal } from '../../../../../agents/builtin/tools/tool.ts'

const goalOf = (text: string, files: readonly string[]): ToolGoal => ({
  text,
  words: withoutQuotations(text),
  quotations: findQuotations(text),
  files: files.map((content, index) => ({ name: `${index}.txt`, type: 'document.text', head: content, isWhole: true })),
})

/** `skill: answer` of the only tool that takes the goal; `asks`; `refuses: …`; or `not taken`. */
export async function askTextTools(text: string, ...files: string[]): Promise<string> {
  const goal = goalOf(text, files)
  const readings = textTools.flatMap((tool) => {
    const reading = tool.readGoal(goal)
    return reading ? [{ tool, reading }] : []
  })
  expect(readings.length).toBeLessThanOrEqual(1)
  const [only] = readings
  if (!only) return 'not taken'
  if ('question' in only.reading) return `${only.tool.skill.id} asks`
  const inputs = [
    { port: 'query', type: only.tool.skill.inputs[0]?.type ?? '', data: only.reading.query },
    ...files.map((content) => ({ port: 'document', type: 'document.text', text: content })),
  ]
  try {
    return `${only.tool.skill.id}: ${(await only.tool.run({ inputs })).text}`
  } catch (error) {
    if (error instanceof SkillRefused) return `${only.tool.skill.id} refuses: ${error.message}`
    throw error
  }
}
