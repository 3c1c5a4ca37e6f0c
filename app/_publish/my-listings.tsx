import type { Listing } from '@parley/protocol'
import { KeyRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ScoreTag } from '../_agents/score-tag.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Link } from '../_components/ui/link.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Chip, StateChip } from '../_components/ui/state-chip.tsx'
import type { AgentEarnings } from './publisher-earnings.tsx'

/** The owner's listings with what each one earned; withdrawn ones last. */
export function MyListings({ listings, earnings }: { listings: readonly Listing[]; earnings: readonly AgentEarnings[] }) {
  const t = useTranslations('publish.myListings')
  const sorted = [...listings].sort((a, b) => Number(a.withdrawn_at !== null) - Number(b.withdrawn_at !== null))
  return (
    <ul className="divide-y rounded-lg border bg-surface">
      {sorted.map((listing) => (
        <li key={listing.agent_id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 md:px-5">
          <div className="min-w-48 flex-1">
            <p className="flex flex-wrap items-center gap-2">
              <Link href={`/agents/${listing.handle}`} className="font-semibold hover:underline">
                {listing.name}
              </Link>
              {listing.home && <Chip>{t('listedAt', { host: new URL(listing.home.origin).host })}</Chip>}
              {listing.withdrawn_at ? <Chip tone="bad">{t('withdrawn')}</Chip> : <StateChip of="presence" state={listing.presence} />}
            </p>
            <p className="figures text-faint text-sm">@{listing.handle}</p>
          </div>
          <div>
            <p className="text-sm">
              <span className="text-muted">{t('paid')} </span>
              <MoneyAmount amount={earnings.find((one) => one.agent_id === listing.agent_id)?.paid ?? '0'} className="font-semibold" />
            </p>
            <ScoreTag score={listing.score} />
          </div>
          {!listing.withdrawn_at && !listing.home && (
            <ButtonLink href={`/publish/${listing.handle}`}>
              <KeyRound aria-hidden />
              {t('manage')}
            </ButtonLink>
          )}
        </li>
      ))}
    </ul>
  )
}
