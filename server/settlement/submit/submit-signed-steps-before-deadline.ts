import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { requireEscrowHold } from '../holds/hold.ts'
import { escrowCharter, listCharters, lockHold } from '../holds/hold-store.ts'
import { scheduleSealNow } from '../holds/schedule-sealing.ts'
import { nextSubmission } from './next-settlement-or-reclaim.ts'
import { submitStepsOfEachGoal } from './submit-steps-of-each-goal.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5

/**
 * Submits steps on chain with their payees' signatures when `workBy` is near and nothing has settled them. Then neither a silent
 * client nor a close can take the pay.
 */
export async function submitSignedStepsBeforeDeadline(ctx: Context): Promise<void> {
  const now = seconds(ctx.clock.now())
  const { chainId } = ctx.market
  const due = await ctx.db.$queryRaw<{ goalId: string }[]>`
    select "goalId" from (select h."goalId" from "hold" h
    join "step_submission" s on s."goalId" = h."goalId" and s."version" = h."charterVersion" and s."refusedAt" is null
    join "payout" p on p."goalId" = s."goalId" and p."charterVersion" = s."version" and p."step" = s."step"
      and p."state" in ('sealed', 'paying') and p."submittedTx" is null
    where h."chainId" = ${chainId} and h."state" in ('authorized', 'capturing') and h."workBy" >= ${now}
      and ${now} >= h."workBy" - least(3600, greatest(120, floor((h."workBy" - extract(epoch from h."createdAt")) / 10)))
      and not exists (select 1 from "chain_dead_letter" d where d."goalId" = h."goalId" and d."state" = 'open')
    group by h."goalId" order by random() limit 100) chosen order by "goalId"`
  await submitStepsOfEachGoal(ctx, due, submitStepsOfGoal)
}

/** Submits the signed steps, one per transaction. Steps that the client returned are left to their payees. */
async function submitStepsOfGoal(ctx: Context, goalId: string): Promise<void> {
  const rows = await ctx.db.stepSubmission.findMany({ where: { goalId, refusedAt: null }, orderBy: { step: 'asc' } })
  for (const { step, version } of rows)
    await submitTransaction(ctx, async (tx) => {
      const hold = requireEscrowHold(await lockHold(tx, goalId))
      const row = await tx.db.stepSubmission.findUniqueOrThrow({ where: { goalId_version_step: { goalId, version, step } } })
      const plan = await tx.ports.rail.plan(hold.planId)
      const at = { step, version, openedAt: seconds(hold.createdAt), now: seconds(tx.clock.now()) }
      const next = nextSubmission(hold, plan, at)
      if (next === 'seal') await scheduleSealNow(tx, goalId)
      if (next !== 'submit') return null
      const charter = (await listCharters(tx, goalId)).find((one) => one.version === version)
      const prepared = await createTransactionIntent(tx, {
        key: `submit:${goalId}:${version}:${step}`,
        purpose: 'submit',
        goalId,
        call: {
          kind: 'submit',
          terms: hold.terms,
          charter: escrowCharter(charter ?? null),
          bits: 1n << BigInt(step - 1),
          outputsHash: row.outputsHash as `0x${string}`,
          signer: row.signer as `0x${string}`,
          signature: row.signature as `0x${string}`,
        },
        attempts,
      })
      if ('transaction' in prepared) return prepared.transaction
      const refused = { goalId_version_step: { goalId, version, step } }
      await tx.db.stepSubmission.update({ where: refused, data: { refusedAt: tx.clock.now() } })
      tx.log.error(
        { event: 'step.submission_refused', goal: goalId, step, refused: prepared.refused },
        'The escrow refused a submitted step.',
      )
      return null
    })
}
