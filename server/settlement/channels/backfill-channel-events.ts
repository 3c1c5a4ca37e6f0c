import type { ChainLog } from '../../../prisma/client/client.ts'
import { actingAs, type Context } from '../../context.ts'
import type { EscrowEvent } from '../../ports.ts'
import { applyEventGroups } from '../chain-events/apply-event-groups.ts'
import { readClaimedTotals } from '../chain-events/event-store.ts'
import { groupEvents } from '../chain-events/group-events.ts'
import { applyChannelEvents } from './apply-channel-events.ts'

type Hex = `0x${string}`

/** Blocks the indexer until this transaction ends, so that it processes no event between the lookup and the write. */
export async function blockIndexer(tx: Context): Promise<void> {
  await tx.db.$queryRaw`select 1 from "chain_cursor" where "chainId" = ${tx.market.chainId} for share`
}

/**
 * Applies events of a channel that the indexer saw before the channel had a row. Anyone with the terms can open the channel at
 * the contract, and the indexer ignores unknown channels. Call it in the transaction that writes the row, after `blockIndexer`.
 */
export async function backfillChannelEvents(ctx: Context, channelId: string): Promise<void> {
  const tx = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { chainId } = tx.market
  const own = await tx.db.chainLog.findMany({ where: { chainId, channelId }, select: { txHash: true }, distinct: ['txHash'] })
  if (own.length === 0) return
  // A `Credited` event names no channel. All channel events of the transaction are needed to assign it.
  const logs = await tx.db.chainLog.findMany({ where: { chainId, contract: 'channels', txHash: { in: own.map((one) => one.txHash) } } })
  const events = logs.map(readStoredEvent)
  const groups = groupEvents(events, await readClaimedTotals(tx, events)).filter((group) => group.channelId === channelId)
  await applyEventGroups(tx, groups, new Map(), applyChannelEvents)
}

function readStoredEvent({ contract, name, planId, channelId, args, txHash, logIndex, block, blockHash, at }: ChainLog): EscrowEvent {
  return {
    contract: contract === 'channels' ? 'channels' : 'escrow',
    name,
    planId: planId as Hex | null,
    channelId: channelId as Hex | null,
    args: args as EscrowEvent['args'],
    txHash: txHash as Hex,
    logIndex,
    block,
    blockHash: blockHash as Hex,
    at: Math.floor(at.getTime() / 1_000),
  }
}
