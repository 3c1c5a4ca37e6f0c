import type { ChainTransaction as Row } from '../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import type { EscrowCall } from '../ports.ts'
import { attemptKey, type ChainTransaction, type Purpose } from './chain-transaction.ts'

export type PrepareTransaction = {
  /** Says what it does, once. */
  readonly key: string
  readonly purpose: Purpose
  readonly goalId: string | null
  readonly call: EscrowCall
  /** How many may be tried in all. A further one is only made when all before were reverted. */
  readonly attempts: number
}
export type Prepared = { readonly transaction: ChainTransaction } | { readonly refused: string }

/**
 * Signs a transaction and writes it down, in the caller's database transaction. It is sent after the commit and never
 * before, so that whatever a process did before it died can be found out and repeated byte for byte. A live or successful
 * transaction of the same key is answered instead of a new one. The caller has made sure that the chain doesn't show the
 * effect yet.
 */
export async function prepareTransaction(tx: Context, input: PrepareTransaction): Promise<Prepared> {
  const { chainId } = tx.market
  const { sender } = tx.ports.rail
  await tx.db.chainNonce.createMany({ data: [{ chainId, sender, next: 0 }], skipDuplicates: true })
  // One preparation of a sender at a time: from here on the nonce is ours.
  const [nonce] = await tx.db.$queryRaw<{ next: number }[]>`
    select "next" from "chain_nonce" where "chainId" = ${chainId} and "sender" = ${sender} for update`
  const earlier = await listAttempts(tx, input.key)
  const last = earlier.at(-1)
  if (last && last.state !== 'reverted') return { transaction: last }
  if (earlier.length >= input.attempts) return { refused: last?.failure ?? 'No attempt is left.' }

  const next = Math.max(nonce?.next ?? 0, await tx.ports.rail.chainNonce())
  const prepared = await tx.ports.rail.prepare(input.call, next)
  if ('refused' in prepared) return prepared
  await tx.db.chainNonce.update({ where: { chainId_sender: { chainId, sender } }, data: { next: next + 1 } })
  const row = await tx.db.chainTransaction.create({
    data: {
      id: tx.ids.uuid(),
      key: attemptKey(input.key, earlier.length + 1),
      purpose: input.purpose,
      goalId: input.goalId,
      chainId,
      ...prepared,
      state: 'prepared',
      createdAt: tx.clock.now(),
    },
  })
  return { transaction: readTransaction(row) }
}

/** All that was tried under a key, oldest first. */
export async function listAttempts(ctx: Context, key: string): Promise<ChainTransaction[]> {
  const rows = await ctx.db.chainTransaction.findMany({
    where: { OR: [{ key }, { key: { startsWith: `${key}#` } }] },
    orderBy: { nonce: 'asc' },
  })
  return rows.map(readTransaction)
}

export async function countAttempts(ctx: Context, key: string): Promise<number> {
  return (await listAttempts(ctx, key)).length
}

export function readTransaction(row: Row): ChainTransaction {
  const { id, key, goalId, nonce, state, block, blockHash, failure } = row
  return {
    id,
    key,
    purpose: row.purpose as Purpose,
    goalId,
    nonce,
    raw: row.raw as `0x${string}`,
    hash: row.hash as `0x${string}`,
    state,
    block,
    blockHash,
    failure,
  }
}
