/** Owns tools over attached tables. Never uses the network or a model. Imports `numbers/` for the sentences of a goal. */
import type { Tool } from '../tool.ts'
import { tableChartTool } from './chart-tool.ts'
import { tableJoinTool } from './join-tool.ts'
import { tableQuestionTool } from './question-tool.ts'
import { tableStatisticsTool } from './statistics-tool.ts'
import { tableTransformTool } from './transform-tool.ts'

export const tableTools: readonly Tool[] = [tableQuestionTool, tableStatisticsTool, tableTransformTool, tableChartTool, tableJoinTool]
