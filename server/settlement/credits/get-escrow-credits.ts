import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { creditEmpty, creditNotPerson } from '../errors.ts'
import { getBalances } from '../ledger/ledger-store.ts'
import { withdrawalTypedData } from './withdrawal-typed-data.ts'

type Hex = `0x${string}`

/** Credit of one account in the escrow, in one token. Base units. */
export type CreditView = {
  readonly asset: string
  readonly token: Hex
  readonly symbol: string
  /** Amount according to the contract. A withdrawal sends exactly this. */
  readonly withdrawable: bigint
  /** Amounts according to the ledger: fees; refused payments and royalties. The rest comes from plans of other servers. */
  readonly fees: bigint
  readonly credit: bigint
  /** The pending withdrawal, if any. */
  readonly underway: { readonly id: string; readonly to: Hex; readonly since: Date } | null
  readonly withdrawals: readonly { readonly id: string; readonly to: Hex; readonly amount: bigint; readonly tx: Hex; readonly at: Date }[]
}
export type WithdrawalTerms = {
  /** EIP-712 typed data for `eth_signTypedData_v4`. */
  readonly typedData: Eip712TypedData
  /** Unix seconds. */
  readonly deadline: number
  readonly amount: bigint
}

/** Validity of a signature over a withdrawal. Seconds. */
const validSeconds = 3_600

/** Credits of a wallet, one entry per token of this market. */
export async function getEscrowCredits(ctx: Context, address: string): Promise<CreditView[]> {
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

/** Typed data for a withdrawal of the whole credit to `to`. @throws credit.not_found if there is none */
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
