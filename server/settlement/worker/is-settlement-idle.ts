import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { getFinalizedBlock } from '../chain/get-finalized-block.ts'
import { liveStates } from '../chain/transaction.ts'
import { claimRetrySeconds, idleSeconds } from '../channels/channel.ts'
import { settlementRetrySeconds } from './retry-failed-settlements.ts'

type Found = { readonly block: number; readonly blockHash: string; readonly isWanted: boolean }

/**
 * Whether a cycle would find nothing to do: nothing is pending or due, and all final blocks are indexed. Most cycles of most hubs
 * are idle, so this check costs one database query and one or two node queries. The check may report work that is not due yet, but
 * never misses any.
 */
export async function isSettlementIdle(ctx: Context): Promise<boolean> {
  const { rail } = ctx.ports
  const found = await loadState(ctx)
  if (!found || found.isWanted) return false
  const head = await rail.head()
  if ((await getFinalizedBlock(rail, head.number)) > found.block) return false
  // An equal block hash proves an equal history.
  return head.hash === found.blockHash || (await rail.blockHash(found.block)) === found.blockHash
}

async function loadState(ctx: Context): Promise<Found | undefined> {
  const { chainId, escrow } = ctx.market
  const now = seconds(ctx.clock.now())
  const [found] = await ctx.db.$queryRaw<Found[]>`
    select "block", "blockHash", (
      exists (select 1 from "chain_transaction" where "chainId" = ${chainId} and "state" = any(${[...liveStates, 'final']}::"TransferState"[]))
      or exists (select 1 from "hold" h where h."chainId" = ${chainId}
        and not exists (select 1 from "chain_dead_letter" f where f."goalId" = h."goalId" and f."state" = 'open') and (h."state" in ('capturing', 'voiding')
        or (h."state" = 'authorizing' and h."authorization" is not null)
        or (h."state" = 'authorized' and (h."expiry" < ${now}
          -- A failed settlement is retried after a delay.
          or (h."updatedAt" <= ${ago(ctx, settlementRetrySeconds)} and exists (select 1 from "chain_transaction" t
            where t."goalId" = h."goalId" and t."purpose" = 'settle' and t."state" = 'failed_final' and t."reopenedAt" is null))
          -- Submitted steps may have to be submitted on chain, and are paid by default after the review.
          or (h."workBy" < ${now + 3_600} and exists (select 1 from "step_submission" s where s."goalId" = h."goalId"))
          or (h."reviewBy" < ${now} and exists (select 1 from "chain_log" l where l."planId" = h."planId" and l."name" = 'StepsSubmitted'))))))
      or exists (select 1 from "charter_sealing" where "dueAt" <= ${ctx.clock.now()})
      or exists (select 1 from "channel" c where ("state" in ('opening', 'closing')
        or ("state" = 'open' and (("earned" > "claimed" and "failure" is null) or ("topUp" is not null and "topUp"->>'failure' is null)
          or "updatedAt" <= ${ago(ctx, idleSeconds)} or ("failure" is not null and "updatedAt" <= ${ago(ctx, claimRetrySeconds)}))))
        and not exists (select 1 from "chain_dead_letter" f where f."channelId" = c."id" and f."state" = 'open'))
      or exists (select 1 from "dispute" where "state" in ('signed', 'ruling'))
      or exists (select 1 from "settlement_offer" where "state" = 'accepting')
      or exists (select 1 from "credit_withdrawal" where "state" = 'signed')
      -- A full cycle checks whether the nodes agree again, and clears alarms of ended transactions.
      or exists (select 1 from "chain_alarm" where "chainId" = ${chainId}
        and "kind" in ('nodes_disagree', 'stuck_nonce', 'fee_cap', 'transaction_cap'))
    ) as "isWanted"
    from "chain_cursor" where "chainId" = ${chainId} and "escrow" = ${escrow.toLowerCase()}`
  return found
}

function ago(ctx: Context, duration: number): Date {
  return new Date(ctx.clock.now().getTime() - duration * 1_000)
}
