import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import type { EscrowCall } from '../ports.ts'
import { settleCard } from './card/settle-card.ts'
import { isLive } from './chain-transaction.ts'
import { advanceHold, bitsWith, type EscrowHold, holdChain, isSettling, onEscrow } from './hold.ts'
import { listAttempts, prepareTransaction } from './prepare-transaction.ts'
import { escrowCharter, listCharters, loadHold, lockHold, saveHold } from './store.ts'
import { submit } from './submit.ts'
import { sealKey } from './submit-seal.ts'

const attempts = 5

export function settlementKey(goalId: string): string {
  return `settle:${goalId}`
}

/** Pays what `captureHold` named, or nothing, and closes the hold: by the evaluator's attestation in the escrow, or through Stripe. */
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
    const prepared = await prepareTransaction(tx, {
      key: settlementKey(goalId),
      purpose: 'settle',
      goalId,
      call: await settlementOf(tx, hold, bitsWith(plan.codes, 'pending')),
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

/** The call under the charter that is in force on the chain, without the steps that were paid, split or disputed there. */
async function settlementOf(tx: Context, hold: Settling, pending: bigint): Promise<EscrowCall> {
  const asked = hold.state === 'capturing' ? hold.bits : 0n
  const charter = (await listCharters(tx, hold.goalId)).find((one) => one.version === hold.charter?.version)
  if (hold.charter && !charter) throw new Error(`the charter that the escrow has sealed for ${hold.goalId} is not among ours`)
  return {
    kind: 'settle',
    terms: hold.terms,
    version: charter?.version ?? 0,
    charter: escrowCharter(charter ?? null),
    bits: asked & pending,
    close: true,
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
