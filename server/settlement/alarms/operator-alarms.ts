import { z } from 'zod'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'

/**
 * Alarms for operators. `fee_cap`, `transaction_cap`: the market fee exceeds the configured maximum. `balance`: the settler has
 * too little ether for gas. `stuck_nonce`: a pending transaction blocks all later ones. `nodes_disagree`: two RPC nodes contradict
 * each other. `signer`: a signer does not respond. `unbooked_events`: a goal, channel or account is frozen by a dead letter.
 * `foreign_charter`: the escrow sealed a charter that this server never received. `card_dispute`: a chargeback has no evidence
 * yet.
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

export type OperatorAlarm = {
  readonly kind: AlarmKind
  readonly subject: string
  readonly facts: Readonly<Record<string, string | number>>
}
export type RaisedAlarm = OperatorAlarm & { readonly since: Date; readonly lastAt: Date }

/** Logs an alarm once with `event: alarm.raised` and stores it until it is cleared. */
export async function raiseAlarm(ctx: Context, { kind, subject, facts }: OperatorAlarm): Promise<void> {
  const { chainId } = ctx.market
  const now = ctx.clock.now()
  const { count } = await ctx.db.chainAlarm.createMany({
    data: [{ chainId, kind, subject, facts, since: now, lastAt: now }],
    skipDuplicates: true,
  })
  if (count > 0) return ctx.log.error({ event: 'alarm.raised', kind, subject, ...facts }, `An alarm was raised. ${alarmDescriptions[kind]}`)
  await ctx.db.chainAlarm.updateMany({ where: { chainId, kind, subject }, data: { facts, lastAt: now } })
}

/** Raises the alarm that an expected error indicates, if any. */
export async function raiseAlarmForError(ctx: Context, error: unknown): Promise<void> {
  if (!(error instanceof DomainError)) return
  const facts = Object.fromEntries(Object.entries(error.facts).map(([name, value]) => [name, String(value)]))
  if (error.code === 'hold.chain_inconsistent') await raiseAlarm(ctx, { kind: 'nodes_disagree', subject: '', facts })
  if (error.code === 'hold.signer_unavailable') await raiseAlarm(ctx, { kind: 'signer', subject: String(error.facts.role), facts })
}

/** `subject` unset: all subjects of these kinds. `before`: only alarms that were last raised earlier. */
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
    // A timestamp in the future comes from a process with a wrong clock.
    ...(before === undefined ? {} : { OR: [{ lastAt: { lt: before } }, { lastAt: { gt: ctx.clock.now() } }] }),
  }
  const cleared = await ctx.db.chainAlarm.findMany({ where })
  if (cleared.length === 0) return
  await ctx.db.chainAlarm.deleteMany({ where })
  for (const one of cleared) ctx.log.info({ event: 'alarm.cleared', kind: one.kind, subject: one.subject }, 'An alarm was cleared.')
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

/** Description of each kind, for logs and operators. */
export const alarmDescriptions: { readonly [Kind in AlarmKind]: string } = {
  fee_cap: 'The gas price of the chain exceeds CHAIN_MAX_FEE_PER_GAS or CHAIN_MAX_PRIORITY_FEE_PER_GAS.',
  transaction_cap: 'The fee of a transaction exceeds CHAIN_MAX_TRANSACTION_FEE.',
  balance: 'The settler has too little for gas.',
  stuck_nonce: 'A pending transaction blocks all later ones.',
  nodes_disagree: 'CHAIN_RPC_URL and CHAIN_RPC_URL_CONFIRMING give different answers. No money moves until they agree.',
  unbooked_events: 'Chain events could not be booked. The server takes no new action on their goal, channel or account.',
  foreign_charter:
    'The escrow has a charter that this server never received, so the evaluator’s key is compromised. Replace the key. The client can veto the charter within its veto window.',
  card_dispute: 'The evidence for a bank dispute was not submitted. Without evidence before the deadline, the dispute is lost.',
  signer: 'A signer does not answer, or it signs other data than requested.',
}
