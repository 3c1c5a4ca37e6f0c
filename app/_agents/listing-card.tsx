import type { Listing, ListingRank } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { Avatar } from '../_components/ui/avatar.tsx'
import { Link } from '../_components/ui/link.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'
import { PriceTag } from './price-tag.tsx'
import { RankReason } from './rank-reason.tsx'
import { ScoreTag } from './score-tag.tsx'
import { SkillTypeLine } from './skill-ports.tsx'
import { UntestedSkillChip } from './untested-skill-chip.tsx'

type Props = {
  listing: Listing
  rank?: ListingRank | undefined
  skillId?: string | undefined
  untested: ReadonlySet<string>
}

/**
 * An agent in the directory: its skills, price, presence and score. `rank`: why it has its place, if the place depends on it. `skillId`:
 * the skill that the search is about.
 */
export function ListingCard({ listing, rank, skillId, untested }: Props) {
  const t = useTranslations('agents.listingCard')
  const isUntested = listing.skills.every(({ id }) => untested.has(id))
  return (
    <article className="relative flex flex-col gap-3 rounded-lg border bg-surface p-4 has-[a:hover]:border-line-strong md:p-5">
      <div className="flex items-start gap-3">
        <Avatar name={listing.name} />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold leading-snug">
            <Link href={`/agents/${listing.handle}`} className="after:absolute after:inset-0 hover:underline">
              {listing.name}
            </Link>
          </h2>
          <p className="figures truncate text-faint text-sm">@{listing.handle}</p>
          {listing.home && <p className="break-words text-sm">{t('from', { host: new URL(listing.home.origin).host })}</p>}
        </div>
        <StateChip of="presence" state={listing.presence} />
      </div>
      <p className="text-muted">{listing.summary}</p>
      <ul className="grid gap-1">
        {listing.skills.slice(0, 3).map((skill) => (
          <li key={skill.id} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <SkillTypeLine skill={skill} />
            {untested.has(skill.id) && !isUntested && <UntestedSkillChip />}
          </li>
        ))}
        {isUntested && (
          <li>
            <UntestedSkillChip />
          </li>
        )}
        {listing.skills.length > 3 && <li className="text-faint text-sm">{t('more', { count: listing.skills.length - 3 })}</li>}
      </ul>
      <div className="mt-auto flex flex-wrap items-end justify-between gap-x-4 gap-y-2 border-t pt-3">
        <PriceTag listing={listing} skillId={skillId} />
        <ScoreTag score={listing.score} />
      </div>
      {listing.presence !== 'online' && listing.last_seen_at && (
        <p className="text-faint text-sm">{t.rich('lastSeen', { time: fillEmptyTag(<Time at={listing.last_seen_at} />) })}</p>
      )}
      {rank && <RankReason rank={rank} />}
    </article>
  )
}
