import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { raiseAlarmForError } from '../alarms/operator-alarms.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { requireEscrowHold } from '../holds/hold.ts'
import { escrowCharter, listCharters, lockHold } from '../holds/hold-store.ts'
import { scheduleSealNow } from '../holds/schedule-sealing.ts'
import { nextSubmission, stepsToPayByDefault } from './next-settlement.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5
/** Slack, because the chain's clock may lag behind ours. */
const marginSeconds = 60

/**
 * Submits steps on chain with their payees' signatures when `workBy` is near and nothing has settled them. Then neither a silent
 * client nor a close can take the pay. Also pays submitted steps by default after the review.
 */
export async function submitDueSteps(ctx: Context): Promise<void> {
  const now = seconds(ctx.clock.now())
  const { chainId } = ctx.market
  const near = await ctx.db.$queryRaw<{ goalId: string }[]>`
    select distinct h."goalId" from "hold" h
    join "step_submission" s on s."goalId" = h."goalId" and s."version" = h."charterVersion"
    where h."chainId" = ${chainId} and h."state" in ('authorized', 'capturing') and h."workBy" >= ${now}
      and ${now} >= h."workBy" - least(3600, greatest(120, floor((h."workBy" - extract(epoch from h."createdAt")) / 10)))
      and not exists (select 1 from "chain_log" l where l."planId" = h."planId" and l."name" = 'StepsSubmitted'
        and l."args"->>'outputsHash' = s."outputsHash")
      and not exists (select 1 from "chain_dead_letter" d where d."goalId" = h."goalId" and d."state" = 'open')
    limit 100`
  const silent = await ctx.db.$queryRaw<{ goalId: string }[]>`
    select h."goalId" from "hold" h
    where h."chainId" = ${chainId} and h."state" in ('authorized', 'capturing', 'voiding') and h."reviewBy" < ${now - marginSeconds}
      and exists (select 1 from "chain_log" l where l."planId" = h."planId" and l."name" = 'StepsSubmitted')
      and not exists (select 1 from "chain_dead_letter" d where d."goalId" = h."goalId" and d."state" = 'open')
    limit 100`
  for (const { goalId } of near) await attempt(ctx, goalId, submitSteps)
  for (const { goalId } of silent) await attempt(ctx, goalId, submitDefaultPayment)
}

async function attempt(ctx: Context, goalId: string, work: (ctx: Context, goalId: string) => Promise<void>): Promise<void> {
  try {
    await work(ctx, goalId)
  } catch (error) {
    await raiseAlarmForError(ctx, error)
    ctx.log[error instanceof DomainError ? 'warn' : 'error'](
      { event: 'step.submission_failed', goal: goalId, err: error },
      'Steps were not submitted. The next cycle retries them.',
    )
  }
}

/** Submits the signed steps, one per transaction. Steps that the client returned are left to their payees. */
export async function submitSteps(ctx: Context, goalId: string): Promise<void> {
  const rows = await ctx.db.stepSubmission.findMany({ where: { goalId }, orderBy: { step: 'asc' } })
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
      tx.log.error(
        { event: 'step.submission_refused', goal: goalId, step, refused: prepared.refused },
        'The escrow refused a submitted step.',
      )
      return null
    })
}

/** Has the escrow pay submitted steps that were neither settled nor disputed during the review. The contract allows this to anyone. */
export async function submitDefaultPayment(ctx: Context, goalId: string): Promise<void> {
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
