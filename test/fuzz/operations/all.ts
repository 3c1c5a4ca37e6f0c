/** Everything that can be asked of an installation, found in the product itself. */
import type { Installation } from '../ground/installation.ts'
import { commandOperations, frameOperations } from './commands.ts'
import { a2aOperations, hubOperations, mcpOperations, webhookOperations } from './doors.ts'
import type { Operation } from './operations.ts'
import { pageOperations } from './pages.ts'
import { procedureOperations } from './procedures.ts'

export async function allOperations(installation: Installation, product?: string): Promise<Operation[]> {
  return [
    ...procedureOperations(),
    ...commandOperations(),
    ...frameOperations(),
    ...hubOperations(product),
    ...(await mcpOperations(installation)),
    ...a2aOperations(),
    ...webhookOperations(),
    ...pageOperations(product),
  ]
}
