'use client'
import { formatAmount } from '@parley/protocol'
import { createContext, type ReactNode, useContext } from 'react'
import { currencyOfAsset } from '../../_views/currency-of-asset.ts'
import { useMarket } from '../market-provider.tsx'
import { cn } from './cn.ts'

const Currency = createContext<string | null>(null)

/** The currency of the amounts inside, if it is not the market's token. A goal paid by card uses US dollars. */
export function MoneyIn({ symbol, children }: { symbol: string | null; children: ReactNode }) {
  return <Currency.Provider value={symbol}>{children}</Currency.Provider>
}

type Props = { amount: string | bigint; asset?: string; isSigned?: boolean; className?: string }

/** An amount in base units of `asset`, or of the page's currency. Tabular figures align in a column. */
export function MoneyAmount({ amount, asset, isSigned = false, className }: Props) {
  const { decimals, symbol } = useMarket()
  const inherited = useContext(Currency)
  const currency = (asset === undefined ? inherited : currencyOfAsset(asset)) ?? symbol
  const value = BigInt(amount)
  return (
    <span className={cn('figures whitespace-nowrap', className)}>
      {isSigned && value > 0n ? '+' : ''}
      {groups(formatAmount(value, decimals))}
      <span className="ml-1 font-sans text-[0.85em] text-muted">{currency}</span>
    </span>
  )
}

/** "12345.50" → "12,345.50", digit by digit: an amount never becomes a number. */
export function groups(amount: string): string {
  const [whole = '', fraction] = amount.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** One line of a calculation, within a `<dl>`. */
export function MoneyLine({ label, amount, isStrong = false }: { label: string; amount: bigint; isStrong?: boolean }) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${isStrong ? 'font-semibold' : ''}`}>
      <dt>{label}</dt>
      <dd>
        <MoneyAmount amount={amount} />
      </dd>
    </div>
  )
}
