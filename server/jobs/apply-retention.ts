import type { Context } from '../context.ts'
import { archiveMessages, createPartitions, rewriteErasedFiles } from '../delivery/index.ts'

/** Opens the tables of the months to come, and files those whose time is over. `retentionDays` undefined: none ever. */
export async function applyRetention(ctx: Context, retentionDays: number | undefined): Promise<void> {
  const opened = await createPartitions(ctx)
  if (opened > 0) ctx.log.info({ opened }, 'tables for the messages of months to come')
  if (retentionDays !== undefined) await archiveMessages(ctx, { retentionDays })
  // What was erased while its month was on its way into a file.
  await rewriteErasedFiles(ctx)
}
