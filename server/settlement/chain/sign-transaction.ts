import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EncodedCall, Fees, RefusedCall } from '../../ports.ts'
import { clearAlarms } from '../alarms/operator-alarms.ts'
import { hitFailpoint } from '../chain-events/failpoint.ts'
import { isTransactionFrozen } from '../chain-events/frozen-subjects.ts'
import { nonceContended } from '../errors.ts'
import { maxTransactionGas } from '../rails/max-transaction-gas.ts'
import { lockNonce } from './create-transaction-intent.ts'
import { budgetFacts, loadFeeBudget, raiseFeeAlarm } from './fee-budget.ts'
import { initialGasFees } from './gas-fees.ts'
import type { ChainTransaction } from './transaction.ts'
import { chainTransactionFromRow, loadCall, lockTransaction, recordObservation, saveSignedTransaction } from './transaction-store.ts'

/** Maximum number of tries to claim a nonce while other processes claim nonces, too. */
const maxTries = 20

/**
 * Allocates the transaction nonce and stores the first signed transaction before it is sent. The table `signed_transaction` is a write-ahead log:
 * after a crash the server sends the stored bytes again. Queries the node and the signer first, while no rows are locked. A call that
 * the node would reject, or that costs more than the fee limits allow, gets no nonce.
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
  const fees = initialGasFees(market, budget)
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
  return { refused: `The gas limit of the call is ${gas}. The maximum is ${maxTransactionGas}.`, isFinal: false }
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
    return chainTransactionFromRow(row)
  })
}
