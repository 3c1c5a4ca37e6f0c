import type { AuthorizeHold } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import { actorName, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { countAttempts } from '../chain/create-transaction-intent.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { fundingQuotaExceeded, holdBalanceTooLow, holdSignatureInvalid, holdWrongState } from '../errors.ts'
import { requireClient, requireFundable } from './get-funding-terms.ts'
import { type Authorization, acceptableWindows, advanceHold, type EscrowHold, type Hold, isFunded, requireEscrowHold } from './hold.ts'
import { loadHold, lockHold, saveHold } from './hold-store.ts'

/**
 * Accepts the client's signature over the funding of the hold (an authorization hold). A job moves the money afterwards. Idempotent. Queries the wallet and the chain
 * before the database transaction, so that no lock waits for them.
 */
export async function authorizeHold(ctx: Context, input: AuthorizeHold): Promise<{ goal_id: string; state: string }> {
  await permit(ctx, 'hold.authorize')
  const found = requireEscrowHold(await loadHold(ctx, input.goal_id))
  requireClient(ctx, found)
  if (isAuthorized(ctx, found)) return { goal_id: found.goalId, state: found.state }
  requireFundable(found, seconds(ctx.clock.now()))
  const window = await requireSignature(ctx, found, input.signature as `0x${string}`)
  await requireFundingQuota(ctx, found.goalId)
  const balance = await ctx.ports.rail.balanceOf(found.terms.client)
  if (balance < found.terms.total) throw holdBalanceTooLow(ctx.market, balance, found.terms.total)

  return inTransaction(ctx, async (tx) => {
    const hold = await lockHold(tx, input.goal_id)
    await requireNotFrozen(tx, { goalId: input.goal_id })
    if (isAuthorized(tx, hold)) return { goal_id: hold.goalId, state: hold.state }
    const attempt = (await countAttempts(tx, fundingKey(hold.goalId))) + 1
    const next = await saveHold(tx, advanceHold(hold, { type: 'authorize', authorization: { ...window, attempt } }))
    await appendAudit(tx, {
      stream: holdAuditStreamName(hold.goalId),
      action: 'hold.authorize',
      before: { state: hold.state },
      after: { state: next.state },
    })
    await enqueue(tx, { type: 'hold.authorizing', goal_id: hold.goalId })
    await sendSignal(tx, { topic: 'goal', id: hold.goalId })
    return { goal_id: hold.goalId, state: next.state }
  })
}

/** Limits fundings per wallet and day, because the server pays their gas. A repeated request for one goal counts once. */
async function requireFundingQuota(ctx: Context, goalId: string): Promise<void> {
  const dayAgo = new Date(ctx.clock.now().getTime() - 86_400_000)
  const { fundingsPerDay } = ctx.market
  const chains = await ctx.db.auditEntry.groupBy({
    by: ['chain'],
    where: { actor: actorName(ctx.actor), at: { gt: dayAgo }, action: 'hold.authorize', chain: { not: holdAuditStreamName(goalId) } },
  })
  if (chains.length >= fundingsPerDay) throw fundingQuotaExceeded(fundingsPerDay)
}

/** Idempotency key of the funding transaction. */
export function fundingKey(goalId: string): string {
  return `fund:${goalId}`
}

/** Whether a repeated request has nothing left to do: a valid signature is stored, or the hold is funded. */
function isAuthorized(ctx: Context, hold: Hold): boolean {
  if (hold.state === 'authorizing') return hold.authorization !== null && hold.authorization.validBefore > seconds(ctx.clock.now())
  if (hold.state === 'authorized') return true
  if (isFunded(hold)) throw holdWrongState(hold.state, 'be authorized')
  return false
}

/** @throws hold.signature_invalid if it matches no validity that the client could have read */
async function requireSignature(ctx: Context, hold: EscrowHold, signature: `0x${string}`): Promise<Omit<Authorization, 'attempt'>> {
  for (const window of acceptableWindows(seconds(ctx.clock.now()))) {
    const typedData = ctx.ports.rail.fundingTypedData(hold.terms, window)
    if (await ctx.ports.verifyWallet.typedData({ address: hold.terms.client, typedData, signature })) return { ...window, signature }
  }
  throw holdSignatureInvalid(hold.terms.client)
}
