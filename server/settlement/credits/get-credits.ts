import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { TypedData } from '../../ports.ts'
import { creditEmpty, creditNotPerson } from '../errors.ts'
import { getBalances } from '../ledger/ledger-store.ts'
import { withdrawalTypedData } from './typed-data.ts'

type Hex = `0x${string}`

/** What waits in the escrow for one account, in one token; base units. */
export type CreditView = {
  readonly asset: string
  readonly token: Hex
  readonly symbol: string
  /** The escrow's own word: what a withdrawal sends. */
  readonly withdrawable: bigint
  /** What our books know of it: fees; and refused payments with royalties. More than both comes from plans that are not ours. */
  readonly fees: bigint
  readonly credit: bigint
  /** The withdrawal that is under way, if one is. */
  readonly underway: { readonly id: string; readonly to: Hex; readonly since: Date } | null
  readonly withdrawals: readonly { readonly id: string; readonly to: Hex; readonly amount: bigint; readonly tx: Hex; readonly at: Date }[]
}
export type WithdrawalTerms = {
  /** What the account's wallet signs, as `eth_signTypedData_v4` takes it. */
  readonly typedData: TypedData
  /** Unix seconds. */
  readonly deadline: number
  readonly amount: bigint
}

/** How long a signature over a withdrawal counts. */
const validSeconds = 3_600

/** The credits of a wallet, one entry for each token that this market settles in. */
export async function getCredits(ctx: Context, address: string): Promise<CreditView[]> {
  const account = address.toLowerCase() as Hex
  const { asset, token, symbol } = ctx.market
  const [withdrawable, held, rows] = await Promise.all([
    ctx.ports.rail.creditOf(account),
    getBalances(ctx, [`fees:${account}`, `credit:${account}`]),
    ctx.db.creditWithdrawal.findMany({ where: { account, state: { not: 'refused' } }, orderBy: { createdAt: 'desc' }, take: 50 }),
  ])
  const signed = rows.find((row) => row.state === 'signed')
  return [
    {
      asset,
      token,
      symbol,
      withdrawable,
      fees: held.get(`fees:${account}`) ?? 0n,
      credit: held.get(`credit:${account}`) ?? 0n,
      underway: signed ? { id: signed.id, to: signed.to as Hex, since: signed.createdAt } : null,
      withdrawals: rows.flatMap(({ id, to, amount, tx, createdAt }) =>
        amount === null || tx === null ? [] : [{ id, to: to as Hex, amount, tx: tx as Hex, at: createdAt }],
      ),
    },
  ]
}

/** What the acting wallet signs to send its whole credit to `to`. @throws credit.not_found where there is none */
export async function getWithdrawalTerms(ctx: Context, to: Hex): Promise<WithdrawalTerms> {
  const account = requireAccount(ctx)
  const { rail } = ctx.ports
  const [amount, nonce] = await Promise.all([rail.creditOf(account), rail.accountNonce(account)])
  if (amount === 0n) throw creditEmpty(account)
  const deadline = seconds(ctx.clock.now()) + validSeconds
  return { typedData: withdrawalTypedData(ctx.market, { account, to, nonce, deadline }), deadline, amount }
}

/** @throws permission.denied */
export function requireAccount(ctx: Context): Hex {
  if (ctx.actor.kind !== 'person') throw creditNotPerson(ctx.actor.kind)
  return ctx.actor.address.toLowerCase() as Hex
}
