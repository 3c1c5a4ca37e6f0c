import type { Context } from '../context.ts'
import { reconcile } from '../settlement/index.ts'

/** What a crash or a stranger's hand has left apart is told at once. Nothing is mended by itself, and nothing waits for it. */
export async function compareBooks(ctx: Context): Promise<void> {
  try {
    const { onlyLedger, onlyChain, differing } = await reconcile(ctx)
    const found = { onlyLedger: onlyLedger.length, onlyChain: onlyChain.length, differing: differing.length }
    if (Object.values(found).some((count) => count > 0)) ctx.log.error(found, 'the books do not agree; see /operate')
    else ctx.log.info('the books agree')
  } catch (error) {
    ctx.log.warn({ err: error }, 'the books could not be compared')
  }
}
