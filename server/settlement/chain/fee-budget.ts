import type { Context } from '../../context.ts'
import type { EncodedCall } from '../../ports.ts'
import { raiseAlarm } from '../alarms/operator-alarms.ts'
import type { FeeBudget, FeeLimit } from './gas-fees.ts'
import type { ChainTransaction } from './transaction.ts'

/** Reads the settler's balance, which limits the fee besides the configured caps. */
export async function loadFeeBudget(ctx: Context, call: EncodedCall): Promise<FeeBudget> {
  const { rail } = ctx.ports
  const balance = await rail.etherOf(rail.sender)
  return { caps: rail.feeCaps, gas: call.gas, balance: balance > call.value ? balance - call.value : 0n }
}

export function budgetFacts({ gas, balance }: FeeBudget): Record<string, string> {
  return { gas: gas.toString(), balance: balance.toString() }
}

/** Raises the alarm of the limit that keeps the transaction below the market fee. */
export async function raiseFeeAlarm(ctx: Context, { key }: ChainTransaction, kind: FeeLimit, facts: Record<string, string>): Promise<void> {
  await raiseAlarm(ctx, kind === 'balance' ? { kind, subject: '', facts: { key, ...facts } } : { kind, subject: key, facts })
}
