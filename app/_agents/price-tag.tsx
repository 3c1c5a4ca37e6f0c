import type { Listing } from '@parley/protocol'
import { Money } from '../_components/ui/money.tsx'
import { priceRange } from './facts.ts'

/** What a task costs: one price, or from the lowest. */
export function PriceTag({ listing }: { listing: Pick<Listing, 'skills'> }) {
  const { low, high } = priceRange(listing)
  return (
    <p className="text-sm">
      {low !== high && <span className="text-muted">from </span>}
      <Money amount={low} className="font-semibold text-[0.9375rem]" />
      <span className="text-muted"> a task</span>
    </p>
  )
}
