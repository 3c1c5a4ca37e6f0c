/** Everything that can be asked of an installation, found in the product itself. */
import type { Installation } from '../ground/installation.ts'
import { variantOperations } from '../variants/index.ts'
import { commandOperations, frameOperations } from './commands.ts'
import { a2aOperations, chainOperations, hubOperations, mcpOperations, webhookOperations } from './hub-and-webhook-operations.ts'
import type { Operation } from './operations.ts'
import { pageOperations } from './pages.ts'
import { procedureOperations } from './procedures.ts'

/** With the variants: the same operations about objects of other kinds. */
export async function allOperations(installation: Installation, product?: string): Promise<Operation[]> {
  const plain = await plainOperations(installation, product)
  return [...plain, ...variantOperations(plain)]
}

/** Each operation once: for what depends on the form of an input alone. */
export async function plainOperations(installation: Installation, product?: string): Promise<Operation[]> {
  return [
    ...procedureOperations(),
    ...commandOperations(),
    ...frameOperations(),
    ...hubOperations(product),
    ...(await mcpOperations(installation)),
    ...a2aOperations(),
    ...webhookOperations(),
    ...chainOperations(),
    ...pageOperations(product),
  ]
}
