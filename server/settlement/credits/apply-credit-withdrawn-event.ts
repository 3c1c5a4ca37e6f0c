import type { Context } from '../../context.ts'
import type { EscrowEvent } from '../../ports.ts'
import { draftChannelWithdrawal } from '../ledger/draft-channel-transfers.ts'
import { draftWithdrawal } from '../ledger/draft-plan-transfers.ts'
import { getBalances, postLedgerTransfer } from '../ledger/ledger-store.ts'

/** Applies `CreditWithdrawn` to the ledger. Idempotent. */
export async function applyCreditWithdrawnEvent(tx: Context, event: EscrowEvent): Promise<void> {
  const account = String(event.args.account)
  const nth = await countWithdrawals(tx, event)
  if (event.contract === 'channels') {
    const own = `channel-credit:${account}`
    const draft = draftChannelWithdrawal(event, (await getBalances(tx, [own])).get(own) ?? 0n, nth)
    if (draft) await postLedgerTransfer(tx, draft)
    return
  }
  const [fees, credit] = [`fees:${account}`, `credit:${account}`]
  const held = await getBalances(tx, [fees, credit])
  const draft = draftWithdrawal(event, { fees: held.get(fees) ?? 0n, credit: held.get(credit) ?? 0n }, nth)
  if (draft) await postLedgerTransfer(tx, draft)
  await completeWithdrawal(tx, event)
}

/** Ordinal of this withdrawal among the account's indexed withdrawals. Older rows can be of other tokens. */
async function countWithdrawals(tx: Context, { contract, args, block, logIndex }: EscrowEvent): Promise<number> {
  const { chainId, token } = tx.market
  const [found] = await tx.db.$queryRaw<{ count: bigint }[]>`
    select count(*) from "chain_log" where "chainId" = ${chainId} and "contract" = ${contract} and "name" = 'CreditWithdrawn'
      and "args" ->> 'account' = ${String(args.account)} and "args" ->> 'token' = ${token.toLowerCase()}
      and ("block", "logIndex") <= (${block}, ${logIndex})`
  return Number(found?.count ?? 1)
}

/** An account has at most one pending withdrawal, and it always takes the whole credit. */
async function completeWithdrawal(tx: Context, event: EscrowEvent): Promise<void> {
  await tx.db.creditWithdrawal.updateMany({
    where: { account: String(event.args.account), to: String(event.args.to), state: 'signed' },
    data: { state: 'done', tx: event.txHash, amount: BigInt(String(event.args.amount)), failure: null },
  })
}
