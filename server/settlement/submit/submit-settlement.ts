import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { SettleCall } from '../../ports.ts'
import { createTransactionIntent, listAttempts } from '../chain/create-transaction-intent.ts'
import type { ExternalReads } from '../chain/restartable-database-transaction.ts'
import { type ChainTransaction, isLiveTransaction } from '../chain/transaction.ts'
import { chainTransactionFromRow } from '../chain/transaction-store.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { advanceHold, type EscrowHold, isSettling, requireEscrowHold, stepsToBits } from '../holds/hold.ts'
import { escrowCharter, type HoldCharter, listCharters, loadHold, lockHold, saveHold } from '../holds/hold-store.ts'
import { sealKey } from '../holds/schedule-sealing.ts'
import { settleCardHold } from '../stripe/settle-card-hold.ts'
import { hasPendingSettlementBatch } from './has-pending-settlement-batch.ts'
import { nextSettlement, type SettlementFacts } from './next-settlement-or-reclaim.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5

/** How long a pending dispute or offer holds back its step. Seconds. */
export const signatureWaitSeconds = 3_600

/** Idempotency keys of a partial settlement, and of the settlement that closes the hold. */
const partKey = (goalId: string, { bits, isHalf }: SettleCall) => `settle-part:${goalId}:${isHalf ? 'half:' : ''}${bits}`
const closeKey = (goalId: string) => `settle:${goalId}`

/** All settlement attempts of a goal, oldest first. */
export async function listSettlements(ctx: Context, goalId: string): Promise<ChainTransaction[]> {
  return [...(await listParts(ctx, goalId)), ...(await listAttempts(ctx, closeKey(goalId)))]
}

async function listParts(ctx: Context, goalId: string): Promise<ChainTransaction[]> {
  const key = { startsWith: `settle-part:${goalId}` }
  return (await ctx.db.chainTransaction.findMany({ where: { key }, orderBy: { createdAt: 'asc' } })).map(chainTransactionFromRow)
}

/**
 * Settles a hold: pays the steps of `captureHold`, if any, and closes it, in the escrow or through Stripe. The escrow closes it
 * only after all dispute windows. Front-running (MEV) redirects no money: the evaluator's signature covers the charter and the steps,
 * and the escrow pays the charter's payees, independent of the transaction's sender.
 */
export async function submitSettlement(ctx: Context, goalId: string, answers?: ExternalReads): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return settleCardHold(ctx, goalId)
  const prepare = async (tx: Context) => {
    const call = await lockDueSettlement(tx, goalId)
    if (!call) return null
    const key = call.close ? closeKey(goalId) : partKey(goalId, call)
    const prepared = await createTransactionIntent(tx, { key, purpose: 'settle', goalId, call, attempts })
    if ('transaction' in prepared) return prepared.transaction
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    if (isSettling(hold)) await failSettlement(tx, hold, prepared.refused)
    return null
  }
  await submitTransaction(ctx, prepare, answers)
}

/** Starts a requested settlement. Card payments start at once; escrow settlements wait briefly to be batched. */
export async function beginSettlement(ctx: Context, goalId: string): Promise<void> {
  const { rail } = await loadHold(ctx, goalId)
  if (rail === 'stripe' || ctx.market.settlementWindowMs === 0) await submitSettlement(ctx, goalId)
}

/** Locks the hold and builds its due settlement call; null if nothing is due. */
export async function lockDueSettlement(tx: Context, goalId: string): Promise<SettleCall | null> {
  return buildSettlement(tx, requireEscrowHold(await lockHold(tx, goalId)))
}

/** As `lockDueSettlement`, for a hold that is already loaded. */
export async function buildSettlement(ctx: Context, hold: EscrowHold): Promise<SettleCall | null> {
  if (!isSettling(hold)) return null
  const charter = await charterInForce(ctx, hold)
  const facts = await loadSettlementFacts(ctx, hold, charter?.authorization ?? null)
  const next = nextSettlement(hold, facts)
  if (next === null) return null
  const { bits, isHalf, close } = next
  const { terms, conclusionHash } = hold
  // A later retry of this call requests all of it again.
  const wanted = hold.state === 'capturing' && hold.halves !== 0n ? { wanted: { bits: hold.bits, halves: hold.halves } } : {}
  const settlement = { kind: 'settle', terms, bits, ...(isHalf && { isHalf }), close, conclusionHash, ...wanted } as const
  // A plan without a charter is closed under its last version.
  if (next.charter === 'none') return { ...settlement, version: facts.plan.version, charter: escrowCharter(null) }
  const under = { ...settlement, version: charter?.version ?? 0, charter: escrowCharter(charter) }
  if (next.charter === 'sealed' || !charter?.authorization) return under
  return { ...under, authorization: charter.authorization }
}

/** A pending seal changes what is attested. It has a lower nonce, so the wait is short. */
async function isSealUnderway(tx: Context, goalId: string): Promise<boolean> {
  for (const { version } of await listCharters(tx, goalId))
    if ((await listAttempts(tx, sealKey(goalId, version))).some(isLiveTransaction)) return true
  return false
}

/** Steps with a pending dispute or offer that has not timed out. */
async function stepsAwaitingParties(ctx: Context, goalId: string): Promise<bigint> {
  const since = new Date(ctx.clock.now().getTime() - signatureWaitSeconds * 1_000)
  const disputes = await ctx.db.dispute.findMany({ where: { goalId, state: 'signed', createdAt: { gt: since } }, select: { step: true } })
  const offers = await ctx.db.settlementOffer.findMany({
    where: { goalId, state: 'accepting', counterSignedAt: { gt: since } },
    select: { step: true },
  })
  return stepsToBits([...disputes, ...offers].map(({ step }) => step))
}

type Settling = Extract<EscrowHold, { state: 'capturing' | 'voiding' }>

async function loadSettlementFacts(tx: Context, hold: Settling, authorization: HoldCharter['authorization']): Promise<SettlementFacts> {
  const { goalId } = hold
  const unpaid = await tx.db.payout.findMany({ where: { goalId, state: 'sealed' }, select: { step: true } })
  return {
    plan: await tx.ports.rail.plan(hold.planId),
    unpaidSteps: unpaid.map(({ step }) => step),
    isOverwritten: (await isSealUnderway(tx, goalId)) || (await hasPendingSettlementBatch(tx, goalId)),
    heldSteps: await stepsAwaitingParties(tx, goalId),
    canBring: authorization !== null,
    isPartUnderway: (await listParts(tx, goalId)).some(isLiveTransaction),
    now: seconds(tx.clock.now()),
  }
}

async function charterInForce(tx: Context, hold: Settling): Promise<HoldCharter | null> {
  const charter = (await listCharters(tx, hold.goalId)).find((one) => one.version === hold.charter?.version)
  if (hold.charter && !charter) throw new Error(`the charter in force for ${hold.goalId} is not among ours`)
  return charter ?? null
}

async function failSettlement(tx: Context, hold: Settling, failure: string): Promise<void> {
  const back = await saveHold(tx, advanceHold(hold, { type: 'settlement_failed', failure }))
  await tx.db.payout.updateMany({ where: { goalId: hold.goalId, state: 'paying' }, data: { state: 'sealed' } })
  await appendAudit(tx, {
    stream: holdAuditStreamName(hold.goalId),
    action: 'hold.give_up',
    before: { state: hold.state },
    after: { state: back.state, failure },
  })
  await enqueue(tx, { type: 'hold.failed', goal_id: hold.goalId as never })
  tx.log.error({ event: 'settlement.refused', goal: hold.goalId, failure }, 'The escrow refused a settlement.')
}
