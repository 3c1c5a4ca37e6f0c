import type { TransferState } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EncodedCall, Fees, RefusedCall } from '../../ports.ts'
import { nonceContended } from '../errors.ts'
import { clearAlarms, raiseAlarm } from '../events/alarm.ts'
import { hitFailpoint } from '../events/failpoint.ts'
import { isTransactionFrozen } from '../events/freeze.ts'
import { maxTransactionGas } from '../rails/gas-limits.ts'
import { lockNonce } from './create-transaction-intent.ts'
import { bumpFees, type FeeBudget, type FeeLimit, initialFees, maxReplacements } from './gas-fees.ts'
import { type ChainTransaction, isLive, type SignedTransaction } from './transaction.ts'
import { listSignedTransactions, loadCall, readTransaction, recordObservation } from './transaction-store.ts'

/** Maximum number of tries to claim a nonce while other processes claim nonces, too. */
const maxTries = 20

/**
 * Allocates a nonce and stores the first signed transaction before anybody can see it. Queries the node and the signer first,
 * while no rows are locked. A call that the node would reject, or that costs more than the fee limits allow, gets no nonce.
 */
export async function signTransaction(ctx: Context, wanted: ChainTransaction): Promise<ChainTransaction> {
  const { rail } = ctx.ports
  if (await isTransactionFrozen(ctx, wanted.id)) return holdBackFrozen(ctx, wanted)
  const call = await loadCall(ctx, wanted.id)
  if (call === null) throw new Error(`transaction ${wanted.key} has no call to sign`)
  const refused = gasCapRefusal(call) ?? (await rail.simulate(call))
  if (refused)
    return recordObservation(ctx, wanted, { type: 'refused', failure: refused.refused, isFinal: refused.isFinal, at: ctx.clock.now() })
  const [market, counted, budget] = await Promise.all([rail.fees(), rail.chainNonce(), loadFeeBudget(ctx, call)])
  const fees = initialFees(market, budget)
  if (typeof fees === 'string') {
    await raiseFeeAlarm(ctx, wanted, fees, { base_fee_per_gas: market.baseFeePerGas.toString(), ...budgetFacts(budget) })
    return wanted
  }
  await clearAlarms(ctx, ['fee_cap', 'transaction_cap'], { subject: wanted.key })
  for (let tries = 0; tries < maxTries; tries++) {
    const signed = await claimNonce(ctx, { wanted, call, fees, counted })
    if (signed === 'taken') continue
    await hitFailpoint(ctx, 'prepared')
    return signed
  }
  throw nonceContended(wanted.key)
}

/** A frozen transaction waits for an operator. A batch ends instead, so that its other goals settle without the frozen one. */
async function holdBackFrozen(ctx: Context, wanted: ChainTransaction): Promise<ChainTransaction> {
  if ((await ctx.db.batchedSettlement.count({ where: { transactionId: wanted.id } })) === 0) return wanted
  return recordObservation(ctx, wanted, { type: 'refused', failure: 'A goal of the batch is frozen.', isFinal: true, at: ctx.clock.now() })
}

/** A node may simulate such a call and still reject its broadcast. The next attempt encodes it again. */
function gasCapRefusal({ gas }: EncodedCall): RefusedCall | null {
  if (gas <= maxTransactionGas) return null
  return { refused: `The call has a gas limit of ${gas}, and a transaction has at most ${maxTransactionGas}.`, isFinal: false }
}

type NonceClaim = { readonly wanted: ChainTransaction; readonly call: EncodedCall; readonly fees: Fees; readonly counted: number }

/**
 * Signs for the expected nonce. Stores the transaction only if the nonce is still free; otherwise the signed bytes are discarded
 * and were never sent.
 */
async function claimNonce(ctx: Context, { wanted, call, fees, counted }: NonceClaim): Promise<ChainTransaction | 'taken'> {
  const { rail } = ctx.ports
  const { chainId } = ctx.market
  const known = await ctx.db.chainNonce.findUnique({ where: { chainId_sender: { chainId, sender: rail.sender } } })
  // A lagging node reports too low a count. Another user of our key makes the count higher.
  const nonce = Math.max(known?.next ?? 0, counted)
  const { raw, hash } = await rail.sign(call, nonce, fees)
  await clearAlarms(ctx, ['signer'], { subject: 'settler' })
  await hitFailpoint(ctx, 'signed')
  return inTransaction(ctx, async (tx) => {
    const next = await lockNonce(tx)
    const current = await lockTransaction(tx, wanted.id)
    // If the goal was frozen in the meantime, it gets no nonce. The signed bytes were never sent.
    if (current.state !== 'rail_chosen' || (await isTransactionFrozen(tx, wanted.id))) return current
    if (Math.max(next, counted) !== nonce) return 'taken'
    await tx.db.chainNonce.updateMany({ where: { chainId, sender: rail.sender }, data: { next: nonce + 1 } })
    await hitFailpoint(tx, 'nonce_allocated')
    const row = await tx.db.chainTransaction.update({ where: { id: wanted.id }, data: { nonce, hash, state: 'prepared' } })
    await saveSignedTransaction(tx, wanted.id, nonce, { raw, hash, n: 1, isCancel: false, ...fees })
    return readTransaction(row)
  })
}

/**
 * Creates a replacement transaction with the same nonce and a higher fee: the same call, or a cancellation (`isCancel`). Stores it
 * beside the earlier ones; the chain includes one of them. Null if the fee limits do not allow it.
 */
export async function replaceTransaction(
  ctx: Context,
  transaction: ChainTransaction,
  isCancel: boolean,
): Promise<SignedTransaction | null> {
  const { rail } = ctx.ports
  const [newest] = await listSignedTransactions(ctx, transaction.id)
  const call = isCancel ? await rail.cancellation() : await loadCall(ctx, transaction.id)
  if (transaction.nonce === null || call === null || newest === undefined) return null
  // Another process has already replaced it.
  if (newest.hash !== transaction.hash) return newest
  const [market, budget] = await Promise.all([rail.fees(), loadFeeBudget(ctx, call)])
  const fees = bumpFees(newest, market, budget, isCancel ? 2 * maxReplacements : maxReplacements)
  if (fees === 'exhausted') return null
  if (typeof fees === 'string') {
    await raiseFeeAlarm(ctx, transaction, fees, { base_fee_per_gas: market.baseFeePerGas.toString(), ...budgetFacts(budget) })
    return null
  }
  const { raw, hash } = await rail.sign(call, transaction.nonce, fees)
  const candidate = { raw, hash, n: newest.n + 1, isCancel, ...fees }
  return inTransaction(ctx, async (tx) => {
    const { state, nonce } = await lockTransaction(tx, transaction.id)
    const [now = newest] = await listSignedTransactions(tx, transaction.id)
    if (nonce === null || !mayReplace(state, isCancel)) return null
    if (now.hash !== newest.hash) return now
    await saveSignedTransaction(tx, transaction.id, nonce, candidate)
    if (isLive({ state })) await tx.db.chainTransaction.update({ where: { id: transaction.id }, data: { hash } })
    const facts = { key: transaction.key, nonce, n: candidate.n, maxFeePerGas: fees.maxFeePerGas }
    if (isCancel) tx.log.warn({ event: 'transaction.cancel', ...facts }, 'a nonce is given up: a transaction that does nothing takes it')
    else tx.log.info({ event: 'transaction.replace', ...facts }, 'a transaction is offered for more')
    return { ...candidate, createdAt: tx.clock.now() }
  })
}

/** An ended transaction may only be cancelled, because its effect was abandoned or another attempt carries it. */
function mayReplace(state: TransferState, isCancel: boolean): boolean {
  if (!isLive({ state })) return isCancel
  return state === 'prepared' || state === 'submitted' || state === 'reorged'
}

async function loadFeeBudget(ctx: Context, call: EncodedCall): Promise<FeeBudget> {
  const { rail } = ctx.ports
  const balance = await rail.etherOf(rail.sender)
  return { caps: rail.feeCaps, gas: call.gas, balance: balance > call.value ? balance - call.value : 0n }
}

function budgetFacts({ gas, balance }: FeeBudget): Record<string, string> {
  return { gas: gas.toString(), balance: balance.toString() }
}

async function raiseFeeAlarm(ctx: Context, { key }: ChainTransaction, kind: FeeLimit, facts: Record<string, string>): Promise<void> {
  await raiseAlarm(ctx, kind === 'balance' ? { kind, subject: '', facts: { key, ...facts } } : { kind, subject: key, facts })
}

async function saveSignedTransaction(
  tx: Context,
  transactionId: string,
  nonce: number,
  candidate: Omit<SignedTransaction, 'createdAt'>,
): Promise<void> {
  await tx.db.chainCandidate.create({ data: { ...candidate, transactionId, nonce, createdAt: tx.clock.now() } })
}

async function lockTransaction(tx: Context, id: string): Promise<ChainTransaction> {
  await tx.db.$queryRaw`select 1 from "chain_transaction" where "id" = ${id} for update`
  return readTransaction(await tx.db.chainTransaction.findUniqueOrThrow({ where: { id } }))
}
