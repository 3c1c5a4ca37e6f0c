import type { TransferState } from '@parley/protocol'
import type { Context } from '../../context.ts'

export type ChainLogView = {
  readonly name: string
  readonly planId: string | null
  readonly args: unknown
  readonly txHash: string
  readonly logIndex: number
  readonly block: number
  readonly at: Date
}
export type ChainTransactionView = {
  readonly hash: string
  /** What it does, if the server sent it. Other transactions are known only by their events. */
  readonly key: string | null
  readonly purpose: string | null
  readonly goalId: string | null
  readonly sender: string | null
  readonly nonce: number | null
  readonly state: TransferState
  readonly block: number | null
  readonly blockHash: string | null
  readonly failure: string | null
  readonly events: readonly ChainLogView[]
}

/** One transaction, from the server's own rows or from the chain. Null if the hash is unknown. */
export async function getChainTransaction(ctx: Context, hash: string): Promise<ChainTransactionView | null> {
  const txHash = hash.toLowerCase() as `0x${string}`
  const [candidate, events] = await Promise.all([
    ctx.db.signedTransaction.findUnique({ where: { hash: txHash }, include: { transaction: true } }),
    listEvents(ctx, { txHash }),
  ])
  if (candidate) {
    const row = candidate.transaction
    const { key, purpose, goalId, sender, nonce, state, block, blockHash, failure } = row
    return { hash: txHash, key, purpose, goalId, sender, nonce, state, block, blockHash, failure, events }
  }
  const receipt = await ctx.ports.rail.receipt(txHash)
  if (!receipt) return null
  const { block, blockHash, succeeded } = receipt
  const foreign = { key: null, purpose: null, goalId: null, sender: null, nonce: null, failure: null }
  return { hash: txHash, ...foreign, state: succeeded ? 'final' : 'failed_final', block, blockHash, events }
}

export async function listEvents(ctx: Context, where: { readonly txHash: string } | { readonly planId: string }): Promise<ChainLogView[]> {
  const rows = await ctx.db.chainLog.findMany({
    where: { chainId: ctx.market.chainId, ...where },
    orderBy: [{ block: 'asc' }, { logIndex: 'asc' }],
  })
  return rows.map(({ name, planId, args, txHash, logIndex, block, at }) => ({
    name,
    planId,
    args: argsIn(args),
    txHash,
    logIndex,
    block,
    at,
  }))
}

/** An unreadable value counts as no arguments. */
function argsIn(stored: unknown): object {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {}
}
