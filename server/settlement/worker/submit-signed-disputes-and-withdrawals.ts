import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { raiseAlarmForError } from '../alarms/operator-alarms.ts'
import { maxRetryAt } from '../chain/retry-delay.ts'
import { submitAcceptedOffer } from '../submit/submit-accepted-offer.ts'
import { submitDispute } from '../submit/submit-dispute.ts'
import { submitRuling } from '../submit/submit-ruling.ts'
import { submitWithdrawal } from '../submit/submit-withdrawal.ts'

const submissions = { dispute: submitDispute, rule: submitRuling, offer: submitAcceptedOffer, withdraw: submitWithdrawal }

/** Submits signed disputes, rulings, offers and withdrawals. A failure of one does not affect others. */
export async function submitSignedDisputesAndWithdrawals(ctx: Context): Promise<void> {
  const at = ctx.clock.now()
  const due = await ctx.db.$queryRaw<{ id: string; wants: keyof typeof submissions }[]>`
    select * from (select w."id", w."wants" from (
      select "id", 'dispute' as "wants" from "dispute" where "state" = 'signed'
      union all select "id", 'rule' from "dispute" where "state" = 'ruling'
      union all select "id", 'offer' from "settlement_offer" where "state" = 'accepting'
      union all select "id", 'withdraw' from "credit_withdrawal" where "state" = 'signed'
    ) w where not exists (
      select 1 from "chain_transaction" t
      where (t."key" = w."wants" || ':' || w."id" or t."key" like w."wants" || ':' || w."id" || '#%') and (
        t."state" in ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged', 'final')
        or (t."state" = 'failed_retryable' and t."retryAt" > ${at} and t."retryAt" <= ${maxRetryAt(at)} and t."reopenedAt" is null))
    ) order by random() limit 200) chosen order by "id"`
  for (const { id, wants } of due) {
    try {
      await submissions[wants](ctx, id)
    } catch (error) {
      await raiseAlarmForError(ctx, error)
      const isExpected = error instanceof DomainError
      ctx.log[isExpected ? 'warn' : 'error'](
        { event: 'settlement.action_failed', id, wants, err: error },
        'A signed action was not submitted. The next cycle retries it.',
      )
    }
  }
}
