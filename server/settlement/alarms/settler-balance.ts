import type { Context } from '../../context.ts'
import { clearAlarms, raiseAlarm } from './operator-alarms.ts'

/** Typical gas limit of a settlement with ten steps. The low-balance mark is computed from it. */
const typicalSettlementGas = 1_700_000n
/** The balance must cover this many settlements at the current gas price. */
const minSettlements = 20n

/** Balance of the settler in wei. Below `lowBalanceThreshold` an alarm is raised. */
export type SettlerBalance = { readonly sender: `0x${string}`; readonly balance: bigint; readonly lowBalanceThreshold: bigint }

/** Reads the settler's balance and computes its low-balance mark. @throws hold.chain_unavailable */
export async function getSettlerBalance(ctx: Context): Promise<SettlerBalance> {
  const { rail } = ctx.ports
  const [balance, market] = await Promise.all([rail.etherOf(rail.sender), rail.fees()])
  const reckoned = (market.baseFeePerGas * 2n + market.maxPriorityFeePerGas) * typicalSettlementGas * minSettlements
  return { sender: rail.sender, balance, lowBalanceThreshold: rail.lowBalance ?? reckoned }
}

/** Checks the settler's balance and raises or clears its alarm. Runs once a minute, even if no transaction is pending. */
export async function checkSettlerBalance(ctx: Context): Promise<SettlerBalance> {
  const { sender, balance, lowBalanceThreshold } = await getSettlerBalance(ctx)
  if (balance >= lowBalanceThreshold) await clearAlarms(ctx, ['balance'])
  else {
    const facts = { sender, balance: balance.toString(), low_balance_threshold: lowBalanceThreshold.toString() }
    await raiseAlarm(ctx, { kind: 'balance', subject: '', facts })
  }
  const { chainId } = ctx.market
  const seen = { balance: balance.toString(), lowBalanceThreshold: lowBalanceThreshold.toString(), balanceAt: ctx.clock.now() }
  await ctx.db.chainNonce.upsert({
    where: { chainId_sender: { chainId, sender } },
    create: { chainId, sender, next: 0, ...seen },
    update: seen,
  })
  return { sender, balance, lowBalanceThreshold }
}
