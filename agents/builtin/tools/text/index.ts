/** Owns tools over texts. Never uses the network or a model. Imports `numbers/` for the sentences of a goal. */
import type { Tool } from '../tool.ts'
import { textAccessLogTool } from './access-log-tool.ts'
import { textChecksumTool } from './checksum-tool.ts'
import { compareListsTool } from './compare-lists-tool.ts'
import { textCompareTool } from './compare-tool.ts'
import { detectLanguageTool } from './detect-language-tool.ts'
import { textExtractTool } from './extract-tool.ts'
import { textKeywordsTool } from './keywords-tool.ts'
import { textLinesTool } from './lines-tool.ts'
import { textRedactTool } from './redact-tool.ts'
import { textStatisticsTool } from './statistics-tool.ts'
import { textSummaryTool } from './summary-tool.ts'
import { textTransformTool } from './transform-tool.ts'

export const textTools: readonly Tool[] = [
  textStatisticsTool,
  textExtractTool,
  textRedactTool,
  textSummaryTool,
  textCompareTool,
  textLinesTool,
  compareListsTool,
  textTransformTool,
  detectLanguageTool,
  textKeywordsTool,
  textAccessLogTool,
  textChecksumTool,
]
