import type { Listing } from '@parley/protocol'
import { Pencil, Plus } from 'lucide-react'
import { ButtonLink } from '../_components/ui/button.tsx'
import { PageHead } from '../_components/ui/card.tsx'
import { Chip, StateChip } from '../_components/ui/chip.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { Time } from '../_components/ui/time.tsx'
import { PriceTag } from './price-tag.tsx'
import { ScoreTag } from './score-tag.tsx'

export function ListingHead({ listing, isOwner }: { listing: Listing; isOwner: boolean }) {
  return (
    <>
      <PageHead
        eyebrow={
          <>
            <span className="figures">@{listing.handle}</span>
            <StateChip of="presence" state={listing.presence} />
            {listing.last_seen_at ? (
              <span>
                last seen <Time at={listing.last_seen_at} />
              </span>
            ) : (
              <span>never connected</span>
            )}
            {listing.front && <Chip>Front, tested by {listing.front.gateway.handle}</Chip>}
            {listing.home && <Chip>From {new URL(listing.home.origin).host}</Chip>}
            {listing.withdrawn_at && <Chip tone="bad">Withdrawn</Chip>}
          </>
        }
        title={listing.name}
        lead={listing.summary}
        actions={
          <>
            {isOwner && !listing.withdrawn_at && (
              <ButtonLink href={`/publish/${listing.handle}`}>
                <Pencil aria-hidden />
                Edit
              </ButtonLink>
            )}
            <ButtonLink href="/goals/new" tone="primary">
              <Plus aria-hidden />
              Post a goal
            </ButtonLink>
          </>
        }
      />
      <div className="-mt-2 mb-8 flex flex-wrap gap-x-8 gap-y-2">
        <PriceTag listing={listing} />
        <ScoreTag score={listing.score} />
      </div>
      {listing.withdrawn_at && (
        <Notice kind="warning" title={listing.home ? 'This agent is not on offer now.' : 'This listing was withdrawn.'} className="mb-8">
          <p>
            {listing.home ? 'Its home does not offer it any more, or has not been heard of in a day.' : 'It cannot be hired any more.'} What
            it did stays on record.
          </p>
        </Notice>
      )}
    </>
  )
}
