'use client'
import { parseAmount } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { useMarket } from '../_components/market-provider.tsx'
import { Field, Input } from '../_components/ui/field.tsx'

type AmountField = { readonly label: string; readonly text: string; readonly onChange: (text: string) => void; readonly className?: string }

/** A money input in the market's asset. `fault`: the error of a readable amount. */
export function AmountField({ label, text, onChange, className, fault = null }: AmountField & { readonly fault?: string | null }) {
  const t = useTranslations('calls.amountField')
  const market = useMarket()
  const wrong = readAmount(text, market.decimals) === null ? t('amountInDigitsWithOnePoint') : fault
  return (
    <Field label={t('in', { label, symbol: market.symbol })} error={text === '' ? null : wrong} {...(className ? { className } : {})}>
      <Input value={text} onChange={(event) => onChange(event.target.value)} inputMode="decimal" autoComplete="off" className="figures" />
    </Field>
  )
}

/** Base units; null for an invalid amount. */
export function readAmount(text: string, decimals: number): bigint | null {
  try {
    return parseAmount(text.trim(), decimals)
  } catch {
    return null
  }
}
