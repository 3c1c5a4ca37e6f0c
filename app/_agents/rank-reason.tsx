import type { ListingRank } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { rankRows } from './listing-figure-format.ts'

/** Why an agent has its place by relevance: the words that were found, and the parts of its total. */
export function RankReason({ rank }: { rank: ListingRank }) {
  const t = useTranslations('agents.rankReason')
  const tMatch = useTranslations('agents.wordMatch')
  const tPart = useTranslations('agents.rankPart')
  const { words, demoted, demoted_by: by = 'text', before_higher: isBeforeHigher, meaning = 0, advertised } = rank
  return (
    <details className="relative text-sm">
      <summary className="min-h-11 w-fit cursor-pointer py-2.5 text-muted md:min-h-8 md:py-1.5">{t('why')}</summary>
      {words.length > 0 && (
        <p className="break-words">
          <span className="text-muted">{t('words')}</span>{' '}
          {words.map(({ word, match, as }) => tMatch(match, { word, as: as ?? word })).join(', ')}
        </p>
      )}
      <dl className="mt-1 grid max-w-60 grid-cols-[1fr_auto] gap-x-4">
        {rankRows(rank).map(({ part, points }) => (
          <div key={part} className="contents">
            <dt className="text-muted">{tPart(part)}</dt>
            <dd className="figures text-right">{points}</dd>
          </div>
        ))}
      </dl>
      {meaning >= 0.25 && !advertised && <p>{t('meaning')}</p>}
      {advertised && <p>{t('advertised')}</p>}
      {demoted && <p className="mt-1">{t('demoted', { by })}</p>}
      {isBeforeHigher && <p className="mt-1">{t('beforeHigher')}</p>}
    </details>
  )
}
