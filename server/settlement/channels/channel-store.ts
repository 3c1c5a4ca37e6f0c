import type { ChannelConfig } from '@parley/protocol'
import { Prisma, type Channel as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { channelNotFound } from '../errors.ts'
import { type Channel, isFundedChannel, type OpeningAuthorization, type TopUp } from './channel.ts'

/** The values were validated before they were written. */
type Hex = `0x${string}`

export function channelFromRow(row: Row): Channel {
  const { asset, clientId, agentId, deposit, createdAt, claimed, claimRequested, withdrawableAt, failure, attempts } = row
  const config: ChannelConfig = {
    payer: row.payer as Hex,
    payerAuthorizer: row.authorizer as Hex,
    receiver: row.receiver as Hex,
    receiverAuthorizer: row.settler as Hex,
    token: row.token as Hex,
    withdrawDelay: row.withdrawDelay,
    salt: row.salt as Hex,
  }
  const { pendingAmount, pendingVoucher, openedTx } = row
  const agreed = {
    id: row.id as Hex,
    asset,
    clientId,
    agentId,
    config,
    deposit,
    createdAt,
    earned: row.voucher === null ? null : { amount: row.earned, signature: row.voucher as Hex },
    pending: pendingAmount === null || pendingVoucher === null ? null : { amount: pendingAmount, signature: pendingVoucher as Hex },
  }
  if (row.state === 'opening') return { ...agreed, state: row.state, authorization: row.authorization as OpeningAuthorization }
  if (row.state === 'failed') return { ...agreed, state: row.state, failure: failure ?? '' }
  if (openedTx === null) throw new Error(`channel ${row.id} is ${row.state} without a transaction`)
  const funded = {
    ...agreed,
    openedTx,
    claimed,
    claimRequested,
    withdrawableAt,
    failure,
    attempts,
    topUp: readTopUp(row.topUp),
  }
  if (row.state !== 'closed') return { ...funded, state: row.state }
  if (row.closedTx === null || row.refunded === null) throw new Error(`channel ${row.id} is closed without proof`)
  return { ...funded, state: row.state, closedTx: row.closedTx, refunded: row.refunded }
}

/** For display: treats an unreadable top-up as none. */
export function channelFromRowForDisplay(row: Row): Channel {
  const { amount } = (row.topUp ?? {}) as { readonly amount?: unknown }
  return channelFromRow(typeof amount === 'string' && /^\d+$/.test(amount) ? row : { ...row, topUp: null })
}

/** @throws channel.not_found */
export async function loadChannelForDisplay(ctx: Context, id: string): Promise<Channel> {
  const row = await ctx.db.channel.findUnique({ where: { id } })
  if (!row) throw channelNotFound(id)
  return channelFromRowForDisplay(row)
}

/** JSON has no bigint. */
function readTopUp(stored: Row['topUp']): TopUp | null {
  if (stored === null) return null
  const topUp = stored as Omit<TopUp, 'amount'> & { amount: string }
  return { ...topUp, amount: BigInt(topUp.amount) }
}

/** @throws channel.not_found */
export async function loadChannel(ctx: Context, id: string): Promise<Channel> {
  const row = await ctx.db.channel.findUnique({ where: { id } })
  if (!row) throw channelNotFound(id)
  return channelFromRow(row)
}

/** Whether the actor pays for the channel. Of the owner's agents, only the one that opened it acts on it. */
export async function isPayingSide(ctx: Context, { id, clientId }: Pick<Channel, 'id' | 'clientId'>): Promise<boolean> {
  const { actor } = ctx
  if (actor.kind !== 'agent') return actor.kind === 'person' && actor.did === clientId
  return (await ctx.db.channel.count({ where: { id, clientId: actor.ownerDid, openerId: actor.agentId } })) > 0
}

/** Locks the row until the transaction ends. @throws channel.not_found */
export async function lockChannel(tx: Context, id: string): Promise<Channel> {
  await tx.db.$queryRaw`select 1 from "channel" where "id" = ${id} for update`
  return loadChannel(tx, id)
}

/** Saves the columns that `advanceChannel` may change. The caller has locked the row. */
export async function saveChannel(tx: Context, channel: Channel): Promise<void> {
  const isFunded = isFundedChannel(channel)
  await tx.db.channel.update({
    where: { id: channel.id },
    data: {
      state: channel.state,
      deposit: channel.deposit,
      failure: 'failure' in channel ? channel.failure : null,
      updatedAt: tx.clock.now(),
      earned: channel.earned?.amount ?? 0n,
      voucher: channel.earned?.signature ?? null,
      pendingAmount: channel.pending?.amount ?? null,
      pendingVoucher: channel.pending?.signature ?? null,
      ...(channel.state === 'opening' && { authorization: channel.authorization }),
      ...(isFunded && {
        openedTx: channel.openedTx,
        claimed: channel.claimed,
        claimRequested: channel.claimRequested,
        withdrawableAt: channel.withdrawableAt,
        attempts: channel.attempts,
        topUp: channel.topUp === null ? Prisma.DbNull : { ...channel.topUp, amount: channel.topUp.amount.toString() },
      }),
      ...(channel.state === 'closed' && { closedTx: channel.closedTx, refunded: channel.refunded }),
    },
  })
}
