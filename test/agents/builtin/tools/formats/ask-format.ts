// Asks a tool of this group as the planner does, and names its answer.
import { detectAttachmentType } from '../../../../../agents/builtin/planner/intent/detect-attachment-type.ts'
import { findQuotations, withoutQuotations } from '../../../../../agents/builtin/planner/intent/find-quotations.ts'
import { SkillRefused, type SkillResponse } from '../../../../../agents/builtin/skill.ts'
import type { Tool } from '../../../../../agents/builtin/tools/tool.ts'

export type AttachedText = { readonly name: string; readonly text: string }

const typeOf = ({ name }: AttachedText): string =>
  detectAttachmentType({
    name,
    media_type: name.endsWith('.json') ? 'application/json' : 'text/plain',
    artifact_type: '',
    sha256: '',
    size: 0,
  } as never)

/** The response of the tool to a goal; undefined if it does not take the goal; or its question. */
export async function runFormat(tool: Tool, text: string, files: readonly AttachedText[]): Promise<SkillResponse | string | undefined> {
  const goalFiles = files.map((file) => ({ name: file.name, type: typeOf(file), head: file.text, isWhole: true }))
  const reading = tool.readGoal({ text, words: withoutQuotations(text), quotations: findQuotations(text), files: goalFiles })
  if (!reading) return undefined
  if ('question' in reading) return reading.question
  const query = { port: 'query', type: tool.skill.inputs[0]?.type ?? '', data: reading.query }
  const inputs = files.map((file) => {
    const type = typeOf(file)
    return { port: tool.skill.inputs.find((port) => port.type === type)?.name ?? '', type, text: file.text }
  })
  return tool.run({ inputs: [query, ...inputs] })
}

/** The sentence of the answer; `asks: …`; `refuses: …`; or `not taken`. */
export async function askFormat(tool: Tool, text: string, ...files: readonly AttachedText[]): Promise<string> {
  try {
    const answer = await runFormat(tool, text, files)
    return answer === undefined ? 'not taken' : typeof answer === 'string' ? `asks: ${answer}` : answer.text
  } catch (error) {
    if (error instanceof SkillRefused) return `refuses: ${error.message}`
    throw error
  }
}
