import type { Context } from '../../context.ts'
import { requireOperator } from '../../policy/index.ts'
import { alarmDescriptions, listAlarms, type RaisedAlarm } from '../alarms/operator-alarms.ts'
import { getSettlerBalance, type SettlerBalance } from '../alarms/settler-balance.ts'
import { liveStates } from './transaction.ts'

export type PendingTransaction = {
  readonly id: string
  readonly key: string
  readonly purpose: string
  readonly goalId: string | null
  readonly state: string
  readonly nonce: number | null
  readonly offers: number
  readonly isCancelling: boolean
  readonly createdAt: Date
}
export type ChainHealth = {
  readonly alarms: readonly RaisedAlarm[]
  /** Null if the node does not respond. */
  readonly settler: SettlerBalance | null
  /** Pending transactions, by nonce. */
  readonly waiting: readonly PendingTransaction[]
}

/** Metrics in the Prometheus text format. Reads only the database, so every process reports the same values. */
export async function chainMetrics(ctx: Context): Promise<string> {
  const { chainId } = ctx.market
  const [alarms, settler, live] = await Promise.all([
    listAlarms(ctx),
    ctx.db.chainNonce.findFirst({ where: { chainId, sender: ctx.ports.rail.sender, balance: { not: null } } }),
    ctx.db.chainTransaction.count({ where: { chainId, state: { in: [...liveStates] } } }),
  ])
  const ether = (wei: string | null | undefined) => Number(wei ?? '0') / 1e18
  const kinds = Object.keys(alarmDescriptions)
  return [
    '# HELP parley_chain_alarms What an operator has to look at, by kind.',
    '# TYPE parley_chain_alarms gauge',
    ...kinds.map((kind) => `parley_chain_alarms{kind="${kind}"} ${alarms.filter((one) => one.kind === kind).length}`),
    '# HELP parley_chain_transactions Transactions of the settler that are under way.',
    '# TYPE parley_chain_transactions gauge',
    `parley_chain_transactions ${live}`,
    ...(settler === null
      ? []
      : [
          '# HELP parley_settler_balance What the settler has for gas, in whole coins, when it was last looked at.',
          '# TYPE parley_settler_balance gauge',
          `parley_settler_balance ${ether(settler.balance)}`,
          '# HELP parley_settler_low_balance_threshold Below it an alarm is raised.',
          '# TYPE parley_settler_low_balance_threshold gauge',
          `parley_settler_low_balance_threshold ${ether(settler.lowBalanceThreshold)}`,
        ]),
    '',
  ].join('\n')
}

/** Chain status for operators. @throws permission.denied for all but operators */
export async function getChainHealth(ctx: Context): Promise<ChainHealth> {
  requireOperator(ctx, 'settlement.getChainHealth')
  const [alarms, settler, rows] = await Promise.all([
    listAlarms(ctx),
    getSettlerBalance(ctx).catch(() => null),
    ctx.db.chainTransaction.findMany({
      where: { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender, state: { in: [...liveStates] } },
      orderBy: [{ nonce: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }],
      include: { signedTransactions: { select: { isCancel: true } } },
      take: 100,
    }),
  ])
  const waiting = rows.map(({ id, key, purpose, goalId, state, nonce, createdAt, cancelRequestedAt, signedTransactions }) => ({
    id,
    key,
    purpose,
    goalId,
    state,
    nonce,
    createdAt,
    offers: signedTransactions.length,
    isCancelling: cancelRequestedAt !== null || signedTransactions.some((one) => one.isCancel),
  }))
  return { alarms, settler, waiting }
}
