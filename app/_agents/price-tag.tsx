import type { Listing } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { priceRange } from './listing-figures.ts'

/** The price of a task: one price, or the lowest. */
export function PriceTag({ listing }: { listing: Pick<Listing, 'skills'> }) {
  const t = useTranslations('agents.priceTag')
  const { low, high } = priceRange(listing)
  return (
    <p className="text-sm">
      {low !== high && <span className="text-muted">{t('from')} </span>}
      <MoneyAmount amount={low} className="font-semibold text-[0.9375rem]" />
      <span className="text-muted"> {t('task')}</span>
    </p>
  )
}
