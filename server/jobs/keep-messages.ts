import type { Context } from '../context.ts'
import { cleanFiles, fileMessages, openPartitions } from '../delivery/index.ts'

/** Opens the tables of the months to come, and files those whose time is over. `retentionDays` undefined: none ever. */
export async function keepMessages(ctx: Context, retentionDays: number | undefined): Promise<void> {
  const opened = await openPartitions(ctx)
  if (opened > 0) ctx.log.info({ opened }, 'tables for the messages of months to come')
  if (retentionDays !== undefined) await fileMessages(ctx, { retentionDays })
  // What was erased while its month was on its way into a file.
  await cleanFiles(ctx)
}
