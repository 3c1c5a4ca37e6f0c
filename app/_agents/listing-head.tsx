import type { Listing } from '@parley/protocol'
import { Pencil, Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { PageHead } from '../_components/ui/section.tsx'
import { Chip, StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'
import { PriceTag } from './price-tag.tsx'
import { ScoreTag } from './score-tag.tsx'

export function ListingHead({ listing, isOwner }: { listing: Listing; isOwner: boolean }) {
  const t = useTranslations('agents.listingHead')
  return (
    <>
      <PageHead
        eyebrow={
          <>
            <span className="figures">@{listing.handle}</span>
            <StateChip of="presence" state={listing.presence} />
            {listing.last_seen_at ? (
              <span>{t.rich('lastSeen', { time: fillEmptyTag(<Time at={listing.last_seen_at} />) })}</span>
            ) : (
              <span>{t('neverConnected')}</span>
            )}
            {listing.proxy && <Chip>{t('proxyTestedBy', { handle: listing.proxy.gateway.handle })}</Chip>}
            {listing.home && <Chip>{t('from', { host: new URL(listing.home.origin).host })}</Chip>}
            {listing.withdrawn_at && <Chip tone="bad">{t('withdrawn')}</Chip>}
          </>
        }
        title={listing.name}
        lead={listing.summary}
        actions={
          <>
            {isOwner && !listing.withdrawn_at && (
              <ButtonLink href={`/publish/${listing.handle}`}>
                <Pencil aria-hidden />
                {t('edit')}
              </ButtonLink>
            )}
            <ButtonLink href="/goals/new" tone="primary">
              <Plus aria-hidden />
              {t('postGoal')}
            </ButtonLink>
          </>
        }
      />
      <div className="-mt-2 mb-8 flex flex-wrap gap-x-8 gap-y-2">
        <PriceTag listing={listing} />
        <ScoreTag score={listing.score} />
      </div>
      {listing.withdrawn_at && (
        <Notice kind="warning" title={listing.home ? t('agentNotAvailableNow') : t('listingWithdrawn')} className="mb-8">
          <p>{listing.home ? t('homeDoesNotOfferAnyMore') : t('cannotHiredAnyMore')}</p>
        </Notice>
      )}
    </>
  )
}
