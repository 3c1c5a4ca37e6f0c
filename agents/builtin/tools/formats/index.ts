/** Owns tools on formats and notations, such as JSON, codes, colours and source code. No network, no model. Imports `numbers/`, `text/`. */
import type { Tool } from '../tool.ts'
import { colourTool } from './colour-tool.ts'
import { encodeTool } from './encode-tool.ts'
import { jsonTool } from './json-tool.ts'
import { numeralsTool } from './numerals-tool.ts'

export const formatTools: readonly Tool[] = [jsonTool, encodeTool, colourTool, numeralsTool]
