import { formatAmount } from '@parley/protocol'
import type { Market } from './context.ts'

/**
 * An amount in base units as a person reads it: "100000" is "0.10 USDC". `asset`: of a goal, which is another than the market's token if
 * the goal is paid by card.
 */
export function formatMarketMoney({ symbol, decimals }: Pick<Market, 'symbol' | 'decimals'>, amount: bigint | string, asset = ''): string {
  const card = asset.startsWith('iso4217:') ? asset.slice('iso4217:'.length) : null
  return `${formatAmount(BigInt(amount), decimals)} ${card ?? symbol}`
}
