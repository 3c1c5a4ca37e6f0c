import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import { joinTrace } from '../telemetry/index.ts'
import { readAgainWhereBehind } from './read-again.ts'
import { latestRetryAt } from './retry-delay.ts'
import { submitDueChannels } from './submit-channel.ts'
import { submitFunding } from './submit-funding.ts'
import { submitReclaim } from './submit-reclaim.ts'
import { submitSeal } from './submit-seal.ts'
import { submitSettlement } from './submit-settlement.ts'
import { submitWords } from './submit-words.ts'

/** Finds the holds that want something of the chain and wait for nothing. One that fails keeps nobody else from getting it. */
export async function submitDue(ctx: Context): Promise<void> {
  await submitWords(ctx)
  await submitDueChannels(ctx)
  const { chainId } = ctx.market
  const at = ctx.clock.now()
  const now = seconds(at)
  const goals = await ctx.db.$queryRaw<{ goalId: string; trace: string | null; wants: 'fund' | 'seal' | 'settle' | 'reclaim' }[]>`
    select * from (
      select h."goalId", h."trace", case
        when h."state" = 'authorizing' and h."authorization" is not null then 'fund'
        when h."state" in ('capturing', 'voiding') and not c."isClosing" and not d."isDisputeTime" then 'settle'
        when (h."state" = 'authorized' or c."isClosing") and h."expiry" < ${now - 60} then 'reclaim'
        when h."state" = 'authorized' and h."failure" is null
          and exists (select 1 from "hold_charter" n where n."goalId" = h."goalId" and n."version" > h."charterVersion") then 'seal'
      end as "wants"
      from "hold" h cross join lateral (
        select exists (select 1 from "chain_log" l where l."planId" = h."planId" and l."name" = 'PlanClosing') as "isClosing"
      ) c cross join lateral (
        -- What was to be paid is, and a returned step can still be disputed.
        select coalesce(h."disputeBy" > ${now}, false)
          and exists (select 1 from "payout" p where p."goalId" = h."goalId" and p."state" = 'sealed')
          and not exists (select 1 from "payout" p where p."goalId" = h."goalId" and p."state" = 'paying') as "isDisputeTime"
      ) d
      where h."chainId" = ${chainId} and h."state" in ('authorizing', 'authorized', 'capturing', 'voiding')
        and not exists (select 1 from "chain_transaction" t where t."goalId" = h."goalId" and (
          t."state" in ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged') or (t."state" = 'failed_retryable' and t."retryAt" > ${at} and t."retryAt" <= ${latestRetryAt(at)} and t."reopenedAt" is null)))
    ) due where "wants" is not null limit 200`
  for (const { goalId, trace, wants } of goals) {
    try {
      await readAgainWhereBehind(ctx, goalId)
      await submissions[wants](joinTrace(ctx, trace), goalId)
    } catch (error) {
      const isExpected = error instanceof DomainError
      ctx.log[isExpected ? 'warn' : 'error']({ goal: goalId, wants, err: error }, 'the chain was not asked; it is tried again')
    }
  }
}

const submissions = { fund: submitFunding, seal: submitSeal, settle: submitSettlement, reclaim: submitReclaim }
