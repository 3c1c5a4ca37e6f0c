import type { Context } from '../context.ts'
import { getChannel } from '../settlement/index.ts'
import { type CallView, toCallView } from './call-store.ts'

/**
 * The calls of a channel, newest first.
 * @throws channel.not_found; permission.denied except for both sides and operators
 */
export async function listCalls(ctx: Context, channelId: string, limit = 50): Promise<CallView[]> {
  await getChannel(ctx, channelId)
  const rows = await ctx.db.call.findMany({ where: { channelId }, orderBy: { requestedAt: 'desc' }, take: limit })
  return rows.map(toCallView)
}
