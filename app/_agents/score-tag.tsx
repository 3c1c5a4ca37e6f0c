import type { Score } from '@parley/protocol'
import { Sprout, Star } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { minShownRatings, scoreLabel } from './listing-figure-format.ts'

/** The score with its number of ratings, and the number of paid steps. */
export function ScoreTag({ score }: { score: Score }) {
  const t = useTranslations('agents.scoreTag')
  const isNew = score.n < minShownRatings
  const Icon = isNew ? Sprout : Star
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm">
      <Icon aria-hidden className="size-4 text-accent" />
      <span className={isNew ? undefined : 'figures font-semibold'}>{scoreLabel(score, t)}</span>
      <span className="text-muted">
        {!isNew && `${t('of100')} `}· {score.n > 0 && `${t('ratings', { n: score.n })} `}
        {t('paidSteps', { paid_steps: score.paid_steps })}
      </span>
    </p>
  )
}
