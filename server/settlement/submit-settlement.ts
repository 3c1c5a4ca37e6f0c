import { appendAudit } from '../audit/index.ts'
import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import type { EscrowCall } from '../ports.ts'
import { settleCard } from './card/settle-card.ts'
import { type ChainTransaction, isLive } from './chain-transaction.ts'
import { advanceHold, bitsWith, type EscrowHold, hasStep, holdChain, isSettling, onEscrow } from './hold.ts'
import { listAttempts, prepareTransaction } from './prepare-transaction.ts'
import { escrowCharter, listCharters, loadHold, lockHold, saveHold } from './store.ts'
import { submit } from './submit.ts'
import { sealKey } from './submit-seal.ts'

const attempts = 5

/** Of what is paid while returned steps can still be disputed; and of the settlement that closes the hold. */
const partKey = (goalId: string) => `settle-part:${goalId}`
const closeKey = (goalId: string) => `settle:${goalId}`

/** All that was tried to settle a goal, oldest first. */
export async function listSettlements(ctx: Context, goalId: string): Promise<ChainTransaction[]> {
  return [...(await listAttempts(ctx, partKey(goalId))), ...(await listAttempts(ctx, closeKey(goalId)))]
}

/**
 * Pays what `captureHold` named, or nothing, and closes the hold: by the evaluator's attestation in the escrow, or through
 * Stripe. In the escrow it is closed only when no returned step can be disputed any more.
 */
export async function submitSettlement(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return settleCard(ctx, goalId)
  await submit(ctx, async (tx) => {
    const hold = onEscrow(await lockHold(tx, goalId))
    if (!isSettling(hold)) return null
    // Closed meanwhile, by us or by somebody else: the log will say how.
    const plan = await tx.ports.rail.plan(hold.planId)
    if (plan.status !== 1) return null
    // What was to be settled is; the rest is for the arbitrator, the parties, or time.
    if (plan.closing) return null
    if ((await isSealUnderway(tx, goalId)) || (await isWordUnderway(tx, goalId))) return null
    // The escrow is ahead of our reading: what it sealed has to be known first.
    if (plan.version !== (hold.charter?.version ?? 0)) return null
    const pending = bitsWith(plan.codes, 'pending')
    const close = !(await isDisputeTime(tx, hold, pending))
    const bits = hold.state === 'capturing' ? hold.bits & pending : 0n
    if (!close && bits === 0n) return null
    // The part that is on its way changes what is left to pay.
    if (close && (await listAttempts(tx, partKey(goalId))).some(isLive)) return null
    const prepared = await prepareTransaction(tx, {
      key: close ? closeKey(goalId) : partKey(goalId),
      purpose: 'settle',
      goalId,
      call: await settlementOf(tx, hold, { bits, close }),
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    await giveUp(tx, hold, prepared.refused)
    return null
  })
}

/** A seal that may still land changes what the attestation is over; it has the lower nonce, so the wait is short. */
async function isSealUnderway(tx: Context, goalId: string): Promise<boolean> {
  const [newest] = await listCharters(tx, goalId)
  if (!newest) return false
  return (await listAttempts(tx, sealKey(goalId, newest.version))).some(isLive)
}

/** A party's word on a single step that is on its way: it decides whether the step can be settled. */
async function isWordUnderway(tx: Context, goalId: string): Promise<boolean> {
  if ((await tx.db.dispute.count({ where: { goalId, state: 'signed' } })) > 0) return true
  return (await tx.db.offer.count({ where: { goalId, state: 'accepting' } })) > 0
}

type Settling = Extract<EscrowHold, { state: 'capturing' | 'voiding' }>

/** Whether the escrow still holds an undisputed step that is not to be paid, and its payee has time to dispute. */
async function isDisputeTime(tx: Context, hold: Settling, pending: bigint): Promise<boolean> {
  if (hold.disputeBy === null || seconds(tx.clock.now()) >= hold.disputeBy) return false
  const unpaid = await tx.db.payout.findMany({ where: { goalId: hold.goalId, state: 'sealed' }, select: { step: true } })
  return unpaid.some(({ step }) => hasStep(pending, step))
}

/** The call under the charter that is in force on the chain. */
async function settlementOf(tx: Context, hold: Settling, { bits, close }: { bits: bigint; close: boolean }): Promise<EscrowCall> {
  const charter = (await listCharters(tx, hold.goalId)).find((one) => one.version === hold.charter?.version)
  if (hold.charter && !charter) throw new Error(`the charter that the escrow has sealed for ${hold.goalId} is not among ours`)
  return {
    kind: 'settle',
    terms: hold.terms,
    version: charter?.version ?? 0,
    charter: escrowCharter(charter ?? null),
    bits,
    close,
    conclusionHash: hold.conclusionHash,
  }
}

async function giveUp(tx: Context, hold: Settling, failure: string): Promise<void> {
  const back = await saveHold(tx, advanceHold(hold, { type: 'give_up', failure }))
  await tx.db.payout.updateMany({ where: { goalId: hold.goalId, state: 'paying' }, data: { state: 'sealed' } })
  await appendAudit(tx, {
    chain: holdChain(hold.goalId),
    action: 'hold.give_up',
    before: { state: hold.state },
    after: { state: back.state, failure },
  })
  await enqueue(tx, { type: 'hold.failed', goal_id: hold.goalId })
  tx.log.error({ goal: hold.goalId, failure }, 'the escrow refuses a settlement')
}
