import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import type { Fees } from '../ports.ts'
import type { Candidate, ChainTransaction } from './chain-transaction.ts'
import { reached } from './failpoint.ts'
import { raiseFees } from './fees.ts'
import { lockNonce } from './prepare-transaction.ts'
import { listCandidates, noteSighting, readCall, readTransaction } from './transaction-store.ts'

/**
 * Gives a wanted transaction its nonce and its first bytes, durable before anybody sees them. The node is asked first,
 * so that nothing is locked while it thinks; a call that it would refuse gets neither.
 */
export async function signTransaction(ctx: Context, wanted: ChainTransaction): Promise<ChainTransaction> {
  const { rail } = ctx.ports
  const call = await readCall(ctx, wanted.id)
  if (call === null) throw new Error(`transaction ${wanted.key} has no call to sign`)
  const refused = await rail.simulate(call)
  if (refused)
    return noteSighting(ctx, wanted, { type: 'refused', failure: refused.refused, isFinal: refused.isFinal, at: ctx.clock.now() })
  const [fees, counted] = await Promise.all([rail.fees(), rail.chainNonce()])
  const signed = await inTransaction(ctx, async (tx) => {
    const known = await lockNonce(tx)
    const current = await lockTransaction(tx, wanted.id)
    if (current.state !== 'rail_chosen') return current
    // A node that lags behind counts too few; somebody else with our key makes it count more.
    const nonce = Math.max(known, counted)
    await tx.db.chainNonce.updateMany({ where: { chainId: tx.market.chainId, sender: rail.sender }, data: { next: nonce + 1 } })
    await reached(tx, 'nonce_allocated')
    const { raw, hash } = await rail.sign(call, nonce, fees)
    await reached(tx, 'signed')
    const row = await tx.db.chainTransaction.update({ where: { id: wanted.id }, data: { nonce, hash, state: 'prepared' } })
    await saveCandidate(tx, wanted.id, nonce, { raw, hash, n: 1, ...fees })
    return readTransaction(row)
  })
  await reached(ctx, 'prepared')
  return signed
}

/** The same nonce and the same effect for more, durable beside those before it. Whichever the chain takes is the one. */
export async function replaceCandidate(ctx: Context, transaction: ChainTransaction): Promise<Candidate | null> {
  const { rail } = ctx.ports
  const call = await readCall(ctx, transaction.id)
  const market = await rail.fees()
  return inTransaction(ctx, async (tx) => {
    const { state, nonce } = await lockTransaction(tx, transaction.id)
    const [newest] = await listCandidates(tx, transaction.id)
    if (nonce === null || call === null || newest === undefined) return null
    if (state !== 'prepared' && state !== 'submitted' && state !== 'reorged') return null
    // Another process was faster.
    if (newest.hash !== transaction.hash) return newest
    const fees = raiseFees(newest, market)
    if (fees === null) return null
    const { raw, hash } = await rail.sign(call, nonce, fees)
    const candidate = { raw, hash, n: newest.n + 1, ...fees }
    await saveCandidate(tx, transaction.id, nonce, candidate)
    await tx.db.chainTransaction.update({ where: { id: transaction.id }, data: { hash } })
    tx.log.info({ key: transaction.key, nonce, n: candidate.n, maxFeePerGas: fees.maxFeePerGas }, 'a transaction is offered for more')
    return { ...candidate, createdAt: tx.clock.now() }
  })
}

async function saveCandidate(
  tx: Context,
  transactionId: string,
  nonce: number,
  candidate: Omit<Candidate, 'createdAt'> & Fees,
): Promise<void> {
  await tx.db.chainCandidate.create({ data: { ...candidate, transactionId, nonce, createdAt: tx.clock.now() } })
}

async function lockTransaction(tx: Context, id: string): Promise<ChainTransaction> {
  await tx.db.$queryRaw`select 1 from "chain_transaction" where "id" = ${id} for update`
  return readTransaction(await tx.db.chainTransaction.findUniqueOrThrow({ where: { id } }))
}
