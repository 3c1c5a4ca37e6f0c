import type { WithdrawCredit } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { creditEmpty, creditNotSigned, withdrawalInProgress } from '../errors.ts'
import { requireAccount } from './get-escrow-credits.ts'
import { withdrawalTypedData } from './withdrawal-typed-data.ts'

type Withdrawn = { readonly withdrawal_id: string; readonly state: string }

/** Maximum validity of a signature. A longer one would be a risk if it leaked. Seconds. */
const maxValiditySeconds = 86_400

/**
 * Accepts the account's signature over a withdrawal. A job sends it to the escrow at the server's expense. The contract's event
 * confirms the amount. Idempotent while it is pending.
 * @throws credit.not_found, credit.signature_invalid; permission.denied for all but people
 */
export async function withdrawCredit(ctx: Context, input: WithdrawCredit): Promise<Withdrawn> {
  await permit(ctx, 'credit.withdraw')
  const account = requireAccount(ctx)
  const { to, deadline } = input
  const known = await findUnderway(ctx, { account, to })
  if (known) return known
  const { rail } = ctx.ports
  const [amount, nonce] = await Promise.all([rail.creditOf(account), rail.accountNonce(account)])
  if (amount === 0n) throw creditEmpty(account)
  const now = seconds(ctx.clock.now())
  const signature = input.signature as `0x${string}`
  const typedData = withdrawalTypedData(ctx.market, { account, to, nonce, deadline })
  const isInTime = deadline > now && deadline <= now + maxValiditySeconds
  if (!isInTime || !(await ctx.ports.verifyWallet.typedData({ address: account, typedData, signature }))) throw creditNotSigned(account)

  return inTransaction(ctx, async (tx) => {
    await requireNotFrozen(tx, { account })
    const id = tx.ids.next('wdr')
    // A unique index keeps one of two concurrent requests.
    const { count } = await tx.db.creditWithdrawal.createMany({
      data: [{ id, account, to, deadline, nonce, signature, state: 'signed', createdAt: tx.clock.now() }],
      skipDuplicates: true,
    })
    if (count === 0) {
      const other = await findUnderway(tx, { account, to })
      if (!other) throw new Error(`the credit of ${account} was being withdrawn and is not`)
      return other
    }
    await appendAudit(tx, { stream: `account:${account}`, action: 'credit.withdraw', after: { withdrawal_id: id, to, nonce } })
    await enqueue(tx, { type: 'credit.withdrawing', withdrawal_id: id })
    return { withdrawal_id: id, state: 'signed' }
  })
}

/** The pending withdrawal to this address, or null. @throws credit.not_found if one to another address is pending */
async function findUnderway(ctx: Context, { account, to }: { account: string; to: string }): Promise<Withdrawn | null> {
  const known = await ctx.db.creditWithdrawal.findFirst({ where: { account, state: 'signed' } })
  if (known && known.to !== to) throw withdrawalInProgress(account, known.to)
  return known && { withdrawal_id: known.id, state: known.state }
}
