/** Owns tools on formats and notations: JSON, Markdown, codes, colours, numerals, patterns, schedules, source code. No network, no model. */
import type { Tool } from '../tool.ts'
import { encodeTool } from './encode-tool.ts'
import { jsonTool } from './json-tool.ts'

export const formatTools: readonly Tool[] = [jsonTool, encodeTool]
