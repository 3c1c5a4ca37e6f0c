import { silenceFlags } from '../../../contracts/abi/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { requireEscrowHold } from '../holds/hold.ts'
import { escrowCharter, listCharters, lockHold } from '../holds/hold-store.ts'
import { stepsToPayByDefault } from './next-settlement-or-reclaim.ts'
import { submitStepsOfEachGoal } from './submit-steps-of-each-goal.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5
/** Slack, because the chain's clock may lag behind ours. */
const marginSeconds = 60

/** Has the escrow pay submitted steps that were neither settled nor disputed during the review. The contract allows this to anyone. */
export async function submitDefaultPaymentsAfterReview(ctx: Context): Promise<void> {
  const now = seconds(ctx.clock.now())
  const { chainId } = ctx.market
  const due = await ctx.db.$queryRaw<{ goalId: string }[]>`
    select "goalId" from (select h."goalId" from "hold" h
    where h."chainId" = ${chainId} and h."state" in ('authorized', 'capturing', 'voiding') and h."reviewBy" < ${now - marginSeconds}
      and (coalesce(h."onSilence", ${silenceFlags.pays}) & ${silenceFlags.pays}) <> 0
      and exists (select 1 from "payout" p where p."goalId" = h."goalId" and p."state" in ('sealed', 'paying') and p."submittedTx" is not null)
      and not exists (select 1 from "chain_dead_letter" d where d."goalId" = h."goalId" and d."state" = 'open')
    order by random() limit 100) chosen order by "goalId"`
  await submitStepsOfEachGoal(ctx, due, submitDefaultPayment)
}

async function submitDefaultPayment(ctx: Context, goalId: string): Promise<void> {
  await submitTransaction(ctx, async (tx) => {
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    const plan = await tx.ports.rail.plan(hold.planId)
    const bits = stepsToPayByDefault(hold, plan, seconds(tx.clock.now()))
    if (bits === 0n) return null
    const charter = (await listCharters(tx, goalId)).find((one) => one.version === plan.version)
    if (!charter) return null
    const prepared = await createTransactionIntent(tx, {
      key: `silence:${goalId}:${bits}`,
      purpose: 'silence',
      goalId,
      call: { kind: 'settleOnSilence', terms: hold.terms, charter: escrowCharter(charter), bits },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    tx.log.warn({ event: 'step.default_refused', goal: goalId, refused: prepared.refused }, 'The escrow refused to pay steps by default.')
    return null
  })
}
