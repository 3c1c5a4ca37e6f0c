import { z } from 'zod'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'

/**
 * What an operator must know of. `fee_cap`, `transaction_cap`: the chain asks for more than may be offered. `balance`: the
 * settler has too little for gas. `stuck_nonce`: a transaction keeps all behind it waiting. `nodes_disagree`: two nodes tell
 * different things of one chain. `signer`: a key cannot be asked to sign. `unbooked_events`: a goal, channel or account is frozen.
 * `foreign_charter`: a charter that this server never handed over is sealed for a goal. `card_dispute`: a bank dispute has no answer yet.
 */
export type AlarmKind =
  | 'fee_cap'
  | 'transaction_cap'
  | 'balance'
  | 'stuck_nonce'
  | 'nodes_disagree'
  | 'signer'
  | 'unbooked_events'
  | 'foreign_charter'
  | 'card_dispute'
const Facts = z.record(z.string(), z.union([z.string(), z.number()]))

export type Alarm = { readonly kind: AlarmKind; readonly subject: string; readonly facts: Readonly<Record<string, string | number>> }
export type RaisedAlarm = Alarm & { readonly since: Date; readonly lastAt: Date }

/** Logged once with `event: chain.alarm`, and kept until it is cleared. */
export async function raiseAlarm(ctx: Context, { kind, subject, facts }: Alarm): Promise<void> {
  const { chainId } = ctx.market
  const now = ctx.clock.now()
  const { count } = await ctx.db.chainAlarm.createMany({
    data: [{ chainId, kind, subject, facts, since: now, lastAt: now }],
    skipDuplicates: true,
  })
  if (count > 0) return ctx.log.error({ event: 'chain.alarm', kind, subject, ...facts }, `chain alarm: ${alarmDescriptions[kind]}`)
  await ctx.db.chainAlarm.updateMany({ where: { chainId, kind, subject }, data: { facts, lastAt: now } })
}

/** Raises what an expected failure is a sign of, if any. */
export async function raiseAlarmForError(ctx: Context, error: unknown): Promise<void> {
  if (!(error instanceof DomainError)) return
  const facts = Object.fromEntries(Object.entries(error.facts).map(([name, value]) => [name, String(value)]))
  if (error.code === 'hold.chain_inconsistent') await raiseAlarm(ctx, { kind: 'nodes_disagree', subject: '', facts })
  if (error.code === 'hold.signer_unavailable') await raiseAlarm(ctx, { kind: 'signer', subject: String(error.facts.role), facts })
}

/** `subject` unset: all of the kinds. `before`: only those that were last raised before. */
export async function clearAlarms(
  ctx: Context,
  kinds: readonly AlarmKind[],
  { subject, before }: { readonly subject?: string; readonly before?: Date } = {},
): Promise<void> {
  const { chainId } = ctx.market
  const where = {
    chainId,
    kind: { in: [...kinds] },
    ...(subject === undefined ? {} : { subject }),
    // One from the future was dated by a process whose clock is wrong.
    ...(before === undefined ? {} : { OR: [{ lastAt: { lt: before } }, { lastAt: { gt: ctx.clock.now() } }] }),
  }
  const gone = await ctx.db.chainAlarm.findMany({ where })
  if (gone.length === 0) return
  await ctx.db.chainAlarm.deleteMany({ where })
  for (const one of gone) ctx.log.info({ event: 'chain.alarm_cleared', kind: one.kind, subject: one.subject }, 'a chain alarm is over')
}

export async function listAlarms(ctx: Context): Promise<RaisedAlarm[]> {
  const rows = await ctx.db.chainAlarm.findMany({ where: { chainId: ctx.market.chainId }, orderBy: { since: 'asc' } })
  return rows.map(({ kind, subject, facts, since, lastAt }) => ({
    kind: kind as AlarmKind,
    subject,
    facts: Facts.safeParse(facts).data ?? {},
    since,
    lastAt,
  }))
}

/** What each kind means, for the log and for operators. */
export const alarmDescriptions: { readonly [Kind in AlarmKind]: string } = {
  fee_cap: 'The chain asks for a higher gas price than CHAIN_MAX_FEE_PER_GAS or CHAIN_MAX_PRIORITY_FEE_PER_GAS allows.',
  transaction_cap: 'A transaction would cost more than CHAIN_MAX_TRANSACTION_FEE allows.',
  balance: 'The settler has too little for gas.',
  stuck_nonce: 'A transaction is not included, and all behind it wait.',
  nodes_disagree: 'CHAIN_RPC_URL and CHAIN_RPC_URL_2 tell different things of the same chain; no money moves until they agree.',
  unbooked_events: 'Events of the chain could not be booked. The server takes no new action on what they are about.',
  foreign_charter:
    'The escrow has a charter of a goal that this server never handed over: somebody else signs with the evaluator’s key. Replace the key; the client can veto the charter while its window runs.',
  card_dispute: 'A bank dispute could not be answered with evidence. It is lost unless it is answered before its deadline.',
  signer: 'A signer does not answer, or signs something else than it was asked to.',
}
