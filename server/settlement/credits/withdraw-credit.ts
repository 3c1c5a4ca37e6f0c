import type { WithdrawCredit } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { creditEmpty, creditNotSigned, withdrawalInProgress } from '../errors.ts'
import { requireNotFrozen } from '../events/freeze.ts'
import { requireAccount } from './get-credits.ts'
import { withdrawalTypedData } from './typed-data.ts'

type Withdrawn = { readonly withdrawal_id: string; readonly state: string }

/** A deadline beyond this would leave a signature lying about. Seconds. */
const maxValiditySeconds = 86_400

/**
 * Takes the account's signature; a job brings it to the escrow, at our expense, and its log says what was sent. Repeating the
 * command while it is under way changes nothing.
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
    // Of two at the same moment the database takes one.
    const { count } = await tx.db.creditWithdrawal.createMany({
      data: [{ id, account, to, deadline, nonce, signature, state: 'signed', createdAt: tx.clock.now() }],
      skipDuplicates: true,
    })
    if (count === 0) {
      const other = await findUnderway(tx, { account, to })
      if (!other) throw new Error(`the credit of ${account} was being withdrawn and is not`)
      return other
    }
    await appendAudit(tx, { chain: `account:${account}`, action: 'credit.withdraw', after: { withdrawal_id: id, to, nonce } })
    await enqueue(tx, { type: 'credit.withdrawing', withdrawal_id: id })
    return { withdrawal_id: id, state: 'signed' }
  })
}

/** The one to the same address; null where there is none. @throws credit.not_found where it goes to another */
async function findUnderway(ctx: Context, { account, to }: { account: string; to: string }): Promise<Withdrawn | null> {
  const known = await ctx.db.creditWithdrawal.findFirst({ where: { account, state: 'signed' } })
  if (known && known.to !== to) throw withdrawalInProgress(account, known.to)
  return known && { withdrawal_id: known.id, state: known.state }
}
