import type { Context } from '../context.ts'
import { archiveMessages, createPartitions, rewriteErasedFiles } from '../delivery/index.ts'

/** Creates the partitions of the next months and archives old ones. `retentionDays` undefined: archives none. */
export async function maintainMessagePartitions(ctx: Context, retentionDays: number | undefined): Promise<void> {
  const opened = await createPartitions(ctx)
  if (opened > 0) ctx.log.info({ event: 'message_log.partitions_created', opened }, 'Message partitions for the next months were created.')
  if (retentionDays !== undefined) await archiveMessages(ctx, { retentionDays })
  // Messages that were erased while their partition was being archived.
  await rewriteErasedFiles(ctx)
}
