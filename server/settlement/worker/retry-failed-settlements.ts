import { seconds } from '../../clock.ts'
import { actingAs, type Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { retrySettlement } from './retry-settlement.ts'

/** Delay before a failed settlement is retried, until the plan's expiry. Seconds. */
export const settlementRetrySeconds = 3_600

/**
 * Retries settlements that the contract rejected until their attempts ran out. Otherwise a temporary fault would refund accepted
 * work at the expiry. A failure of one does not affect others; it is retried after the same delay.
 */
export async function retryFailedSettlements(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  for (const goalId of await findFailedSettlements(ctx, now)) {
    try {
      await retrySettlement(system, { goal_id: goalId })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      ctx.log.warn({ event: 'settlement.retry_failed', goal: goalId, err: error }, 'A failed settlement cannot be retried.')
      await ctx.db.hold.updateMany({ where: { goalId, state: 'authorized' }, data: { updatedAt: now } })
    }
  }
}

async function findFailedSettlements(ctx: Context, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - settlementRetrySeconds * 1_000)
  const rows = await ctx.db.$queryRaw<{ goalId: string }[]>`
    select h."goalId" from "hold" h
    where h."chainId" = ${ctx.market.chainId} and h."state" = 'authorized' and h."expiry" > ${seconds(now)} and h."updatedAt" <= ${before}
      and exists (select 1 from "chain_transaction" t where t."goalId" = h."goalId" and t."purpose" = 'settle'
        and t."state" = 'failed_final' and t."reopenedAt" is null)
      and not exists (select 1 from "chain_dead_letter" d where d."goalId" = h."goalId" and d."state" = 'open')
    order by h."updatedAt" limit 50`
  return rows.map(({ goalId }) => goalId)
}
