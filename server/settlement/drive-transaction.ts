import { actingAs, type Context } from '../context.ts'
import { advanceTransaction, type ChainTransaction, isBuried, isLive, type Sighting } from './chain-transaction.ts'
import { readTransaction } from './prepare-transaction.ts'

/** One transaction, as far as it goes now. */
export async function driveTransaction(ctx: Context, transaction: ChainTransaction): Promise<ChainTransaction> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  let current = transaction
  if (!isLive(current)) return current
  let receipt = await rail.receipt(current.hash)
  if (!receipt) {
    current = await note(system, current, { type: 'vanished' })
    const answer = await rail.broadcast(current.raw)
    receipt = await rail.receipt(current.hash)
    if (!receipt && answer === 'nonce_used') return displace(system, current)
    current = await note(system, current, { type: 'broadcast' })
  }
  if (!receipt) return current
  current = await note(system, current, { type: 'mined', receipt })
  const head = await rail.head()
  if (!isBuried(receipt.block, head.number, rail.confirmations)) return current
  if ((await rail.blockHash(receipt.block)) !== receipt.blockHash) return current
  return note(system, current, { type: 'settled', receipt })
}

/**
 * The node says that the nonce is taken and knows no transaction of ours with it. A node that lags behind says so too, so
 * the count is asked, and the receipt once more after it.
 */
async function displace(ctx: Context, transaction: ChainTransaction): Promise<ChainTransaction> {
  const { rail } = ctx.ports
  const count = await rail.chainNonce()
  if (count <= transaction.nonce || (await rail.receipt(transaction.hash))) return transaction
  ctx.log.warn({ key: transaction.key, hash: transaction.hash }, 'another transaction took the nonce')
  return note(ctx, transaction, { type: 'displaced' })
}

/** Writes what was learnt. Where another process was faster, it is what that one wrote that is brought on. */
async function note(ctx: Context, transaction: ChainTransaction, sighting: Sighting): Promise<ChainTransaction> {
  if (!isLive(transaction)) return transaction
  const change = advanceTransaction(transaction, sighting)
  if (!change) return transaction
  const now = ctx.clock.now()
  const { count } = await ctx.db.chainTransaction.updateMany({
    where: { id: transaction.id, state: transaction.state },
    data: {
      ...change,
      ...(change.state === 'submitted' ? { submittedAt: now } : {}),
      ...(change.state === 'final' ? { finalAt: now } : {}),
    },
  })
  const current = readTransaction(await ctx.db.chainTransaction.findUniqueOrThrow({ where: { id: transaction.id } }))
  return count === 1 ? current : note(ctx, current, sighting)
}
