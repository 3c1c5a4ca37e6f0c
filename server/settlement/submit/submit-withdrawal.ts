import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 3

/** Submits an account's withdrawal to the escrow. Runs after `credit.withdrawing` and in every cycle. */
export async function submitWithdrawal(ctx: Context, withdrawalId: string): Promise<void> {
  await submitTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "credit_withdrawal" where "id" = ${withdrawalId} for update`
    const row = await tx.db.creditWithdrawal.findUniqueOrThrow({ where: { id: withdrawalId } })
    if (row.state !== 'signed') return null
    const [account, to] = [row.account as `0x${string}`, row.to as `0x${string}`]
    const isUsed = (await tx.ports.rail.accountNonce(account)) > row.nonce
    const prepared = isUsed
      ? await afterUse(tx, row.id)
      : await createTransactionIntent(tx, {
          key: `withdraw:${row.id}`,
          purpose: 'withdraw',
          goalId: null,
          value: await tx.ports.rail.creditOf(account),
          call: { kind: 'withdrawCredit', account, to, deadline: row.deadline, signature: row.signature as `0x${string}` },
          attempts,
        })
    if (prepared === null) return null
    if ('transaction' in prepared) return prepared.transaction
    await tx.db.creditWithdrawal.update({ where: { id: row.id }, data: { state: 'refused', failure: prepared.refused } })
    await appendAudit(tx, {
      stream: `account:${row.account}`,
      action: 'credit.refuse',
      after: { withdrawal_id: row.id, failure: prepared.refused },
    })
    return null
  })
}

/** The account's nonce was used by this withdrawal, which an event will confirm, or by another one. */
async function afterUse(tx: Context, id: string): Promise<{ refused: string } | null> {
  const ours = await tx.db.chainTransaction.findFirst({
    where: { key: { startsWith: `withdraw:${id}` }, state: { notIn: ['failed_final', 'failed_retryable', 'replaced'] } },
  })
  return ours && ours.state !== 'posted' ? null : { refused: 'The account has used this signature, or another in its place.' }
}
