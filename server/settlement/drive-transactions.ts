import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import { clearAlarms, listAlarms } from './chain-alarm.ts'
import { liveStates } from './chain-transaction.ts'
import { channelChain } from './channel.ts'
import { driveTransaction } from './drive-transaction.ts'
import { fillNonceGaps } from './fill-nonce-gaps.ts'
import { listFrozen } from './frozen.ts'
import { holdChain } from './hold.ts'
import { postTransactions } from './post-transactions.ts'
import { requireChain } from './require-chain.ts'
import { submitDue } from './submit-due.ts'
import { readTransaction } from './transaction-store.ts'

/**
 * Fills nonces that a chain rewrite has freed, brings every live transaction on (sends its bytes, again if need be, and notes what the chain made of them), then begins
 * what is wanted and was never begun. Called at start and again and again: all that a process left undone is found here.
 * Any number of processes may do it at once, and any of them may die anywhere in it.
 */
export async function driveTransactions(ctx: Context): Promise<void> {
  await requireChain(ctx)
  const freed = await fillNonceGaps(ctx)
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender, state: { in: [...liveStates] } },
    // Those with a nonce in its order, then those that get one.
    orderBy: [{ nonce: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }],
    take: 200,
  })
  const troubles: unknown[] = []
  const frozen = await listFrozen(ctx)
  const isFrozen = ({ goalId, channelId }: (typeof rows)[number]) =>
    (goalId !== null && frozen.has(holdChain(goalId))) || (channelId !== null && frozen.has(channelChain(channelId)))
  for (const row of rows) {
    // What has a nonce goes on: others wait behind it.
    if (row.nonce === null && isFrozen(row)) continue
    try {
      await driveTransaction(ctx, readTransaction(row))
    } catch (error) {
      // A node that is away is away for all of them; anything else is this one's own trouble, and keeps no other waiting.
      // What is signed already goes on without the signer.
      if (error instanceof DomainError && error.code !== 'hold.signer_unavailable') throw error
      troubles.push(error)
    }
  }
  await clearAlarmsOfEnded(ctx, freed)
  await postTransactions(ctx)
  await submitDue(ctx)
  if (troubles.length > 0) throw troubles[0]
}

/**
 * Alarms about single transactions end with them: who noted the end may have died before it could say so. `freed`: ended ones
 * whose nonces are free again.
 */
async function clearAlarmsOfEnded(ctx: Context, freed: readonly string[]): Promise<void> {
  const kinds = ['stuck_nonce', 'fee_cap', 'transaction_cap'] as const
  const raised = (await listAlarms(ctx)).filter((alarm) => kinds.some((kind) => kind === alarm.kind))
  const subjects = raised.map((alarm) => alarm.subject)
  const where = { chainId: ctx.market.chainId, key: { in: subjects }, state: { in: [...liveStates] } }
  const rows = await ctx.db.chainTransaction.findMany({ where, select: { key: true } })
  const live = new Set([...rows.map(({ key }) => key), ...freed])
  for (const subject of new Set(subjects)) if (!live.has(subject)) await clearAlarms(ctx, kinds, { subject })
}
