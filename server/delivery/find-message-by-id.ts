import type { Context } from '../context.ts'
import type { LogState } from './append-batch.ts'
import { findArchived } from './archive/read-archived-messages.ts'

export type FoundMessage = { readonly seq: number; readonly body: string; readonly bodyHash: string; readonly hash: string }

/**
 * Finds a message of a room by its own id, which its sender gave it, in the log or in the archive. `minNewId`: only lower ids are
 * looked up in the archive.
 */
export async function findMessageById(
  ctx: Context,
  { roomId, id, minNewId }: { roomId: string; id: string; minNewId?: string },
): Promise<FoundMessage | null> {
  const row = await ctx.db.message.findUnique({
    where: { roomId_id: { roomId, id } },
    select: { seq: true, body: true, bodyHash: true, hash: true },
  })
  return row ?? (minNewId !== undefined && id >= minNewId ? null : findArchived(ctx, roomId, id))
}

/** The same logs, with the given ids that are in the archive added to `knownIds`. */
export async function findArchivedDuplicates(
  ctx: Context,
  logs: ReadonlyMap<string, LogState>,
  asked: readonly { readonly roomId: string; readonly id: string }[],
): Promise<Map<string, LogState>> {
  const found = new Map(logs)
  for (const { roomId, id } of asked) {
    const log = found.get(roomId)
    if (!log || id >= log.minNewId || log.knownIds.has(id)) continue
    const message = await findArchived(ctx, roomId, id)
    if (message) found.set(roomId, { ...log, knownIds: new Map([...log.knownIds, [id, message]]) })
  }
  return found
}
