/** Owns tools that compute with numbers: arithmetic and units. Never uses the network or a model. Reads the words of a goal. */
import type { Tool } from '../tool.ts'
import { calculationTool } from './calculation-tool.ts'
import { unitsTool } from './units-tool.ts'

export const numberTools: readonly Tool[] = [calculationTool, unitsTool]
