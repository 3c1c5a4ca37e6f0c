/** Owns tools that compute: arithmetic, prices, loans, units, dates and QR codes. Never uses the network or a model. Reads the words of a goal. */
import type { Tool } from '../tool.ts'
import { calculationTool } from './calculation-tool.ts'
import { datesTool } from './dates-tool.ts'
import { everydayFormulasTool } from './everyday-formulas-tool.ts'
import { loansTool } from './loans-tool.ts'
import { pricesTool } from './prices-tool.ts'
import { qrCodeTool } from './qr-code-tool.ts'
import { scaleRecipeTool } from './scale-recipe-tool.ts'
import { unitsTool } from './units-tool.ts'

export const numberTools: readonly Tool[] = [
  calculationTool,
  unitsTool,
  datesTool,
  pricesTool,
  loansTool,
  scaleRecipeTool,
  everydayFormulasTool,
  qrCodeTool,
]
