import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { joinTrace } from '../../telemetry/index.ts'
import { raiseAlarmForError } from '../alarms/operator-alarms.ts'
import { maxRetryAt } from '../chain/retry-delay.ts'
import { reindexIfPlanBehind } from '../indexer/reindex.ts'
import { submitDueChannelActions } from '../submit/submit-channel-action.ts'
import { submitCharterSeal } from '../submit/submit-charter-seal.ts'
import { submitDefaultPaymentsAfterReview } from '../submit/submit-default-payments-after-review.ts'
import { submitFunding } from '../submit/submit-funding.ts'
import { submitReclaim } from '../submit/submit-reclaim.ts'
import { submitSettlementBatches } from '../submit/submit-settlement-batches.ts'
import { submitSignedStepsBeforeDeadline } from '../submit/submit-signed-steps-before-deadline.ts'
import { type HoldAction, nextHoldActionSql } from './next-hold-action.ts'
import { retryFailedSettlements } from './retry-failed-settlements.ts'
import { submitSignedDisputesAndWithdrawals } from './submit-signed-disputes-and-withdrawals.ts'

/**
 * Submits due actions of all holds. Of too many, a random choice, so that those that must wait do not starve others. A failure of one does not
 * affect others.
 */
export async function submitDueHoldActions(ctx: Context): Promise<void> {
  await submitSignedDisputesAndWithdrawals(ctx)
  await submitDueChannelActions(ctx)
  await retryFailedSettlements(ctx)
  const { chainId } = ctx.market
  const at = ctx.clock.now()
  const now = seconds(at)
  const goals = await ctx.db.$queryRaw<DueGoal[]>`
    select * from (select * from (
      select f."goalId", f."traceparent", f."updatedAt", ${nextHoldActionSql(now)} as "wants" from (
        select h."goalId", h."traceparent", h."updatedAt", h."state", h."expiry", h."authorization" is not null as "isSigned",
          exists (select 1 from "chain_log" l where l."planId" = h."planId" and l."name" = 'PlanClosing') as "isClosing",
          coalesce(h."disputeBy" > ${now}, false)
            and exists (select 1 from "payout" p where p."goalId" = h."goalId" and p."state" = 'sealed')
            and not exists (select 1 from "payout" p where p."goalId" = h."goalId" and p."state" = 'paying') as "isDisputeTime",
          exists (select 1 from "chain_log" l where l."planId" = h."planId" and l."name" = 'PlanSealed'
              and l."args"->>'version' = h."charterVersion"::text and (l."args"->>'payableFrom')::bigint > ${now}
              and not exists (select 1 from "chain_log" r where r."planId" = l."planId" and r."name" in ('PlanSealed', 'CharterVetoed')
                and (r."block", r."logIndex") > (l."block", l."logIndex")))
            and not exists (select 1 from "charter_authorization" a where a."goalId" = h."goalId" and a."version" = h."charterVersion")
            as "isVetoTime",
          exists (select 1 from "charter_sealing" s where s."goalId" = h."goalId" and s."dueAt" <= ${at}) as "isSealDue"
        from "hold" h
        where h."chainId" = ${chainId} and h."state" in ('authorizing', 'authorized', 'capturing', 'voiding')
          and not exists (select 1 from "chain_dead_letter" d where d."goalId" = h."goalId" and d."state" = 'open')
          and not exists (select 1 from "chain_transaction" t where t."goalId" = h."goalId" and (
            t."state" in ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged') or (t."state" = 'failed_retryable' and t."retryAt" > ${at} and t."retryAt" <= ${maxRetryAt(at)} and t."reopenedAt" is null)))
          and not exists (select 1 from "batched_settlement" b join "chain_transaction" t on t."id" = b."transactionId"
            where b."goalId" = h."goalId" and t."state" in ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged', 'final'))
      ) f
    ) due where "wants" is not null order by random() limit 200) chosen order by "updatedAt", "goalId"`
  for (const { goalId, traceparent, wants } of goals) {
    if (wants === 'settle') continue
    await attempt(ctx, { goalId, wants }, async () => {
      await reindexIfPlanBehind(ctx, goalId)
      await submissions[wants](joinTrace(ctx, traceparent), goalId)
    })
  }
  await submitDueSettlements(
    ctx,
    goals.filter(({ wants }) => wants === 'settle'),
  )
  await submitSignedStepsBeforeDeadline(ctx)
  await submitDefaultPaymentsAfterReview(ctx)
}

type DueGoal = { goalId: string; traceparent: string | null; updatedAt: Date; wants: HoldAction }
const submissions = { fund: submitFunding, seal: submitCharterSeal, reclaim: submitReclaim }

/** Batches settlements that become due within a short window, which saves gas. */
async function submitDueSettlements(ctx: Context, goals: readonly DueGoal[]): Promise<void> {
  const oldest = Math.min(...goals.map(({ updatedAt }) => updatedAt.getTime()))
  if (goals.length === 0 || ctx.clock.now().getTime() - oldest < ctx.market.settlementWindowMs) return
  for (const { goalId } of goals) await attempt(ctx, { goalId, wants: 'settle' }, () => reindexIfPlanBehind(ctx, goalId))
  const [first] = goals
  const own = goals.length === 1 && first ? joinTrace(ctx, first.traceparent) : ctx
  await attempt(ctx, { goalId: goals.map(({ goalId }) => goalId).join(' '), wants: 'settle' }, () =>
    submitSettlementBatches(
      own,
      goals.map(({ goalId }) => goalId),
    ),
  )
}

async function attempt(ctx: Context, what: { goalId: string; wants: string }, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await raiseAlarmForError(ctx, error)
    const isExpected = error instanceof DomainError
    ctx.log[isExpected ? 'warn' : 'error'](
      { event: 'settlement.submission_failed', goal: what.goalId, wants: what.wants, err: error },
      'A due action was not submitted. The next cycle retries it.',
    )
  }
}
