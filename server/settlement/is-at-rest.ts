import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { liveStates } from './chain-transaction.ts'

type Found = { readonly block: number; readonly blockHash: string; readonly isWanted: boolean }

/**
 * Whether a round would find nothing to do: nothing of ours is under way or asked for, and the chain has no final block that
 * was not read. Most rounds of most hubs are such: they cost one question to the database and one or two to the node. What is
 * asked for is counted wider than it is then begun, never narrower; where anything is in doubt, the round is made.
 */
export async function isAtRest(ctx: Context): Promise<boolean> {
  const { rail } = ctx.ports
  const found = await look(ctx)
  if (!found || found.isWanted) return false
  const head = await rail.head()
  if (head.number - rail.confirmations > found.block) return false
  // The same block is of the same chain, from its first block on.
  return head.hash === found.blockHash || (await rail.blockHash(found.block)) === found.blockHash
}

async function look(ctx: Context): Promise<Found | undefined> {
  const { chainId, escrow } = ctx.market
  const [found] = await ctx.db.$queryRaw<Found[]>`
    select "block", "blockHash", (
      exists (select 1 from "chain_transaction" where "chainId" = ${chainId} and "state" = any(${[...liveStates, 'final']}::"TransferState"[]))
      or exists (select 1 from "hold" h where h."chainId" = ${chainId} and (h."state" in ('capturing', 'voiding')
        or (h."state" = 'authorizing' and h."authorization" is not null)
        or (h."state" = 'authorized' and (h."expiry" < ${seconds(ctx.clock.now())} or (h."failure" is null and exists (
          select 1 from "hold_charter" n where n."goalId" = h."goalId" and n."version" > h."charterVersion"))))))
      or exists (select 1 from "channel" where "state" in ('opening', 'closing')
        or ("state" = 'open' and (("earned" > "claimed" and "failure" is null) or ("topUp" is not null and "topUp"->>'failure' is null))))
      or exists (select 1 from "dispute" where "state" in ('signed', 'ruling'))
      or exists (select 1 from "offer" where "state" = 'accepting')
      or exists (select 1 from "credit_withdrawal" where "state" = 'signed')
    ) as "isWanted"
    from "chain_cursor" where "chainId" = ${chainId} and "escrow" = ${escrow.toLowerCase()}`
  return found
}
