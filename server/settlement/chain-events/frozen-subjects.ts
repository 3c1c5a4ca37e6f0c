import type { Context } from '../../context.ts'
import { clearAlarms, listAlarms } from '../alarms/operator-alarms.ts'
import { channelFrozen, creditFrozen, holdFrozen } from '../errors.ts'
import { subjectName, subjectOf } from './chain-dead-letter-store.ts'

/** Names of all frozen subjects. */
export async function listFrozenSubjects(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.db.chainDeadLetter.findMany({
    where: { chainId: ctx.market.chainId, state: 'open' },
    select: { goalId: true, channelId: true, account: true, contract: true },
  })
  return new Set(rows.map((row) => subjectName(subjectOf(row))))
}

/** When a goal, channel or account was frozen; null if it is not. */
export async function findFrozenSince(
  ctx: Context,
  where: { goalId: string } | { channelId: string } | { account: string },
): Promise<Date | null> {
  const row = await ctx.db.chainDeadLetter.findFirst({
    where: { ...where, state: 'open' },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  })
  return row?.createdAt ?? null
}

type Frozen = { readonly goalId?: string | null; readonly channelId?: string | null | undefined; readonly account?: string | undefined }

/** @throws hold.frozen, channel.frozen */
export async function requireNotFrozen(ctx: Context, { goalId, channelId, account }: Frozen): Promise<void> {
  if (goalId && (await findFrozenSince(ctx, { goalId }))) throw holdFrozen(goalId)
  if (channelId && (await findFrozenSince(ctx, { channelId }))) throw channelFrozen(channelId)
  if (account && (await findFrozenSince(ctx, { account }))) throw creditFrozen(account)
}

/** Whether a transaction concerns a frozen subject: its goal, a goal of its batch, its channel, or its account. */
export async function isTransactionFrozen(ctx: Context, transactionId: string): Promise<boolean> {
  const rows = await ctx.db.$queryRaw<unknown[]>`
    select 1 from "chain_transaction" t join "chain_dead_letter" d on d."chainId" = t."chainId" and d."state" = 'open'
    where t."id" = ${transactionId} and (d."goalId" = t."goalId" or d."channelId" = t."channelId"
      or lower(d."account") = lower(t."intent"->>'account')
      or d."goalId" in (select b."goalId" from "batched_settlement" b where b."transactionId" = t."id")) limit 1`
  return rows.length > 0
}

/** Clears the alarms of subjects that are no longer frozen. */
export async function clearFrozenAlarms(tx: Context): Promise<void> {
  const frozen = await listFrozenSubjects(tx)
  const raised = (await listAlarms(tx)).filter((alarm) => alarm.kind === 'unbooked_events' && !frozen.has(alarm.subject))
  for (const { subject } of raised) await clearAlarms(tx, ['unbooked_events'], { subject })
}
