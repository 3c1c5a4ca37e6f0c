import type { Context } from '../../context.ts'
import type { EscrowEvent } from '../../ports.ts'
import { getBalances } from '../ledger/ledger-store.ts'

type Contract = EscrowEvent['contract']
/** Credit from plans and channels of other servers since the last withdrawal. */
type ForeignCredit = { readonly min: bigint; readonly max: bigint }

/** Maximum number of concurrent contract queries. */
const maxAccountsPerRead = 16
const noForeignCredit: ForeignCredit = { min: 0n, max: 0n }

/**
 * Compares each account's credit in the contracts with the ledger. Returns the ledger accounts that differ. `isWhole`: includes
 * accounts with zero balance.
 */
export async function compareCredits(ctx: Context, isWhole: boolean): Promise<string[]> {
  const ofEscrow = await compareContract(ctx, 'escrow', isWhole)
  return ctx.market.channels === null ? ofEscrow : [...ofEscrow, ...(await compareContract(ctx, 'channels', isWhole))]
}

async function compareContract(ctx: Context, contract: Contract, isWhole: boolean): Promise<string[]> {
  const held = await ledgerCredits(ctx, contract)
  const accounts = [...held].filter(([, amount]) => isWhole || amount !== 0n)
  const foreign = await foreignCredits(
    ctx,
    contract,
    accounts.map(([account]) => account),
  )
  const differing: string[] = []
  for (let from = 0; from < accounts.length; from += maxAccountsPerRead) {
    const some = accounts.slice(from, from + maxAccountsPerRead)
    const credits = await Promise.all(some.map(([account]) => ctx.ports.rail.creditOf(account as `0x${string}`, contract)))
    for (const [index, [account, amount]] of some.entries())
      if (!isExplained((credits[index] ?? 0n) - amount, foreign.get(account) ?? noForeignCredit))
        differing.push(`${contract === 'escrow' ? 'credit' : 'channel-credit'}:${account}`)
  }
  return differing
}

/** Whether foreign credit explains the difference. */
export function isExplained(difference: bigint, { min, max }: ForeignCredit): boolean {
  return min <= difference && difference <= max
}

/** Credit by account, according to the ledger. */
async function ledgerCredits(ctx: Context, contract: Contract): Promise<Map<string, bigint>> {
  const held = new Map<string, bigint>()
  for (const prefix of contract === 'escrow' ? ['fees:', 'credit:'] : ['channel-credit:'])
    for (const [name, amount] of await getBalances(ctx, { prefix })) {
      const account = name.slice(prefix.length)
      held.set(account, (held.get(account) ?? 0n) + amount)
    }
  return held
}

/**
 * Foreign credit from the indexed log. A withdrawal takes the whole credit, so only later credits count. A channel's credit does
 * not name the channel. If one transaction concerns our channel and a foreign one, any part may be foreign.
 */
async function foreignCredits(ctx: Context, contract: Contract, accounts: readonly string[]): Promise<Map<string, ForeignCredit>> {
  const { chainId } = ctx.market
  const token = ctx.market.token.toLowerCase()
  const rows = await ctx.db.$queryRaw<{ account: string; min: string; max: string }[]>`
    with "credit" as (
      select "log".*, coalesce("args" ->> 'account', "args" ->> 'feeTo', "args" ->> 'to') as "account" from "chain_log" as "log"
      where "chainId" = ${chainId} and "contract" = ${contract} and "args" ->> 'token' = ${token}
        and "name" in ('Credited', 'FeeCredited', 'RoyaltyCredited', 'CreditWithdrawn')
    ), "last" as (
      select distinct on ("account") "account", "block", "logIndex" from "credit" where "name" = 'CreditWithdrawn'
      order by "account", "block" desc, "logIndex" desc
    ), "open" as (
      select "credit".*, ("credit"."args" ->> 'amount')::numeric as "amount",
        exists (select from "hold" where "hold"."planId" = "credit"."planId")
          or (${contract} = 'channels' and exists (
            select from "chain_log" as "beside" join "channel" on "channel"."id" = "beside"."channelId"
            where "beside"."chainId" = ${chainId} and "beside"."txHash" = "credit"."txHash")) as "isOurs",
        exists (select from "chain_log" as "beside" left join "channel" on "channel"."id" = "beside"."channelId"
          where "beside"."chainId" = ${chainId} and "beside"."txHash" = "credit"."txHash" and "beside"."contract" = 'channels'
            and "beside"."channelId" is not null and "channel"."id" is null) as "isBesideStrangers"
      from "credit" left join "last" using ("account")
      where "credit"."name" <> 'CreditWithdrawn' and "credit"."account" = any(${[...accounts]})
        and ("last"."block" is null or ("credit"."block", "credit"."logIndex") > ("last"."block", "last"."logIndex"))
    )
    select "account", coalesce(sum("amount") filter (where not "isOurs"), 0)::text as "min",
      coalesce(sum("amount") filter (where not "isOurs" or (${contract} = 'channels' and "isBesideStrangers")), 0)::text as "max"
    from "open" group by "account"`
  return new Map(rows.map(({ account, min, max }) => [account, { min: BigInt(min), max: BigInt(max) }]))
}
