// A goal as the planner hands it to a tool, and the tool's answer to it.
import { SkillRefused, type SkillResponse } from '../../../../../agents/builtin/skill.ts'
import type { Tool, ToolGoal } from '../../../../../agents/builtin/tools/tool.ts'

export type AttachedTable = { readonly name: string; readonly text: string; readonly head?: string; readonly isWhole?: boolean }

const typeOf = (table: AttachedTable) => (table.name.endsWith('.json') ? 'table.json' : 'table.csv')

export function toolGoal(text: string, tables: readonly AttachedTable[] = []): ToolGoal {
  const quoted = [...text.matchAll(/["“«`]([^"”»`]{1,4000})["”»`]/g)].map(([, material = '']) => material.trim())
  const afterColon = /:\s*(\S[\s\S]{1,3000})$/.exec(text.trim())?.[1]
  const files = tables.map((table) => ({
    name: table.name,
    type: typeOf(table),
    ...(table.head !== undefined && { head: table.head, isWhole: table.isWhole ?? false }),
  }))
  const words = text.replace(/["“«`][^"”»`]{1,4000}["”»`]/g, ' ')
  return { text, words, quotations: quoted.length > 0 || afterColon === undefined ? quoted : [afterColon.trim()], files }
}

/** The response of the tool to its own reading of a goal. */
export async function runTool(tool: Tool, text: string, tables: readonly AttachedTable[] = []): Promise<SkillResponse> {
  const reading = tool.readGoal(toolGoal(text, tables))
  if (!reading || 'question' in reading || reading.confidence < 0.6) throw new SkillRefused('The tool does not take this goal.')
  const [port] = tool.skill.inputs
  const files = tables.map((table) => ({
    port: 'table',
    type: typeOf(table),
    text: table.text,
    artifact: { name: table.name, media_type: 'text/csv', artifact_type: typeOf(table), sha256: '0'.repeat(64), size: table.text.length },
  }))
  return tool.run({ inputs: [{ port: 'query', type: port?.type ?? '', data: reading.query }, ...files] as never })
}

/** The sentence of the answer; `refused: …`; `asks: …`; or `not taken`. */
export async function askTool(tool: Tool, text: string, tables: readonly AttachedTable[] = []): Promise<string> {
  const reading = tool.readGoal(toolGoal(text, tables))
  if (!reading || reading.confidence < 0.6) return 'not taken'
  if ('question' in reading) return `asks: ${reading.question}`
  try {
    return (await runTool(tool, text, tables)).text
  } catch (error) {
    if (error instanceof SkillRefused) return `refused: ${error.message}`
    throw error
  }
}
