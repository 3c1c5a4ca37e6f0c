/** Finds the built-in tool that can do a goal, with its reading of the goal. */

import type { Json } from '@parley/protocol'
import { builtinTools } from '../../tools/index.ts'
import type { Tool, ToolGoal, ToolReading } from '../../tools/tool.ts'
import type { AvailableInput } from '../plan/plan.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import type { ParsedGoal } from './goal-intent.ts'

/** A reading, and what it asks of the market. */
export type ReadTool = { readonly confidence: number; readonly parsed: ParsedGoal }

/** Readings below this confidence are not used. */
const minConfidence = 0.6

/** The query type of a tool, which no other skill takes. */
const queryTypeOf = ({ skill }: Tool): string => skill.inputs[0]?.type ?? ''

/** Query types that only their tool's own reading may fill. */
export const toolQueryTypes: ReadonlySet<string> = new Set(builtinTools.map(queryTypeOf))

/** The surest reading by a tool that an agent online offers. */
export function findToolForGoal(goal: ToolGoal, files: readonly AvailableInput[], offers: readonly SkillOffer[]): ReadTool | undefined {
  const offered = new Set(offers.flatMap(({ skill }) => skill.inputs.map(({ type }) => type)))
  let best: { tool: Tool; reading: NonNullable<ToolReading> } | undefined
  for (const tool of builtinTools) {
    const reading = offered.has(queryTypeOf(tool)) ? tool.readGoal(goal) : undefined
    if (reading && reading.confidence >= minConfidence && reading.confidence > (best?.reading.confidence ?? 0)) best = { tool, reading }
  }
  if (!best) return undefined
  const named = 'query' in best.reading ? namedFileFirst(goal, files, best.reading.query.file) : files
  return { confidence: best.reading.confidence, parsed: toParsedGoal(best.tool, best.reading, { files: named, language: goal.language }) }
}

/** The files in the order in which ports take them: the file that the query names comes first. `files` has the order of `goal.files`. */
function namedFileFirst(goal: ToolGoal, files: readonly AvailableInput[], name: Json | undefined): readonly AvailableInput[] {
  const named = typeof name === 'string' ? files[goal.files.findIndex((file) => file.name === name)] : undefined
  return named ? [named, ...files.filter((file) => file !== named)] : files
}

type Given = { readonly files: readonly AvailableInput[]; readonly language: ToolGoal['language'] }

function toParsedGoal(tool: Tool, reading: NonNullable<ToolReading>, { files, language }: Given): ParsedGoal {
  if ('question' in reading) return { question: reading.question }
  const type = tool.skill.outputs[0]?.type ?? ''
  const query = language !== undefined && tool.answersInLanguages ? { ...reading.query, answer_language: language } : reading.query
  return {
    intent: {
      wants: [{ type, needed: true }],
      givens: [...files, { type: queryTypeOf(tool), data: query }],
      summary: reading.summary,
    },
  }
}
