import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import { reclaimHold } from './reclaim-hold.ts'
import { submitFunding } from './submit-funding.ts'
import { submitSeal } from './submit-seal.ts'
import { submitSettlement } from './submit-settlement.ts'

/** Finds the holds that want something of the chain and wait for nothing. One that fails keeps nobody else from getting it. */
export async function submitDue(ctx: Context): Promise<void> {
  const { chainId } = ctx.market
  const at = ctx.clock.now()
  const now = seconds(at)
  const goals = await ctx.db.$queryRaw<{ goalId: string; wants: 'fund' | 'seal' | 'settle' | 'reclaim' }[]>`
    select * from (
      select h."goalId", case
        when h."state" = 'authorizing' and h."authorization" is not null then 'fund'
        when h."state" in ('capturing', 'voiding') then 'settle'
        when h."state" = 'authorized' and h."expiry" < ${now - 60} then 'reclaim'
        when h."state" = 'authorized' and h."failure" is null
          and exists (select 1 from "hold_charter" c where c."goalId" = h."goalId" and c."version" > h."charterVersion") then 'seal'
      end as "wants"
      from "hold" h
      where h."chainId" = ${chainId} and h."state" in ('authorizing', 'authorized', 'capturing', 'voiding')
        and not exists (select 1 from "chain_transaction" t where t."goalId" = h."goalId" and (
          t."state" in ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged') or (t."state" = 'failed_retryable' and t."retryAt" > ${at} and t."reopenedAt" is null)))
    ) due where "wants" is not null limit 200`
  for (const { goalId, wants } of goals) {
    try {
      await submissions[wants](ctx, goalId)
    } catch (error) {
      const isExpected = error instanceof DomainError
      ctx.log[isExpected ? 'warn' : 'error']({ goal: goalId, wants, err: error }, 'the chain was not asked; it is tried again')
    }
  }
}

const submissions = { fund: submitFunding, seal: submitSeal, settle: submitSettlement, reclaim: reclaimHold }
