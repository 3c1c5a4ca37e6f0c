import type { ChainLog } from '../../../prisma/client/client.ts'
import { actingAs, type Context } from '../../context.ts'
import type { EscrowEvent } from '../../ports.ts'
import { applyEventGroups } from '../events/apply-event-groups.ts'
import { groupEvents } from '../events/event-group.ts'
import { claimedBefore } from '../events/event-store.ts'
import { applyChannelEvents } from './apply-channel-events.ts'

type Hex = `0x${string}`

/** The reader of the log waits until this transaction ends: no event is read between what is looked up and what is written. */
export async function blockIndexer(tx: Context): Promise<void> {
  await tx.db.$queryRaw`select 1 from "chain_cursor" where "chainId" = ${tx.market.chainId} for share`
}

/**
 * Books what the chain said of a channel before its row was here: anybody who has its terms can open it at the contract, and the
 * reader passes over channels that it does not know. Called in the transaction that writes the row, after `holdReader`.
 */
export async function backfillChannelEvents(ctx: Context, channelId: string): Promise<void> {
  const tx = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { chainId } = tx.market
  const own = await tx.db.chainLog.findMany({ where: { chainId, channelId }, select: { txHash: true }, distinct: ['txHash'] })
  if (own.length === 0) return
  // What the token refused names no channel: the whole of each transaction says whose it was.
  const logs = await tx.db.chainLog.findMany({ where: { chainId, contract: 'channels', txHash: { in: own.map((one) => one.txHash) } } })
  const events = logs.map(readStoredEvent)
  const groups = groupEvents(events, await claimedBefore(tx, events)).filter((group) => group.channelId === channelId)
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
