import type { Context } from '../context.ts'
import type { OpenLog } from './append-batch.ts'
import { findFiled } from './archive/read-archive.ts'

export type FoundMessage = { readonly seq: number; readonly body: string; readonly bodyHash: string; readonly hash: string }

/** A message by the id that its sender gave it, wherever it lies. `horizon`: only below it is it looked for in files. */
export async function findMessage(
  ctx: Context,
  { groupId, id, horizon }: { groupId: string; id: string; horizon?: string },
): Promise<FoundMessage | null> {
  const row = await ctx.db.message.findUnique({
    where: { groupId_id: { groupId, id } },
    select: { seq: true, body: true, bodyHash: true, hash: true },
  })
  return row ?? (horizon !== undefined && id >= horizon ? null : findFiled(ctx, groupId, id))
}

/** The same logs, which know of the asked messages in files too. */
export async function recallFiled(
  ctx: Context,
  logs: ReadonlyMap<string, OpenLog>,
  asked: readonly { readonly groupId: string; readonly id: string }[],
): Promise<Map<string, OpenLog>> {
  const recalled = new Map(logs)
  for (const { groupId, id } of asked) {
    const log = recalled.get(groupId)
    if (!log || id >= log.horizon || log.earlier.has(id)) continue
    const found = await findFiled(ctx, groupId, id)
    if (found) recalled.set(groupId, { ...log, earlier: new Map([...log.earlier, [id, found]]) })
  }
  return recalled
}
