/** Owns tools on formats and notations, such as JSON, codes, colours, source code and images. No network, no model. Imports `images/`, `numbers/`, `text/`. */
import { imageTool } from '../images/image-tool.ts'
import type { Tool } from '../tool.ts'
import { colourTool } from './colour-tool.ts'
import { cronTool } from './cron-tool.ts'
import { encodeTool } from './encode-tool.ts'
import { formatCodeTool } from './format-code-tool.ts'
import { jsonTool } from './json-tool.ts'
import { markdownTool } from './markdown-tool.ts'
import { numeralsTool } from './numerals-tool.ts'
import { regexTool } from './regex-tool.ts'

export const formatTools: readonly Tool[] = [
  jsonTool,
  markdownTool,
  encodeTool,
  colourTool,
  numeralsTool,
  cronTool,
  regexTool,
  formatCodeTool,
  imageTool,
]
