import type { Listing } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { priceRange } from './listing-figure-format.ts'

/** The price of a task: one price, or the lowest. `skillId`: the skill that matches a search best, whose price is shown with its name. */
export function PriceTag({ listing, skillId }: { listing: Pick<Listing, 'skills'>; skillId?: string | undefined }) {
  const t = useTranslations('agents.priceTag')
  const chosen = listing.skills.find((skill) => skill.id === skillId)
  const { low, high } = priceRange(chosen ? { skills: [chosen] } : listing)
  return (
    <p className="text-sm">
      {chosen && <span className="text-muted">{chosen.name}: </span>}
      {low !== high && <span className="text-muted">{t('from')} </span>}
      <MoneyAmount amount={low} className="font-semibold text-[0.9375rem]" />
      <span className="text-muted"> {t('task')}</span>
    </p>
  )
}
