import type { Score } from '@parley/protocol'
import { Sprout, Star } from 'lucide-react'
import { enoughJudgements, plural, scoreWords } from './facts.ts'

/** The score with the number of judgements behind it, and how many steps were paid. */
export function ScoreTag({ score }: { score: Score }) {
  const isNew = score.n < enoughJudgements
  const Icon = isNew ? Sprout : Star
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm">
      <Icon aria-hidden className="size-4 text-accent" />
      <span className={isNew ? undefined : 'figures font-semibold'}>{scoreWords(score)}</span>
      <span className="text-muted">
        {!isNew && 'of 100 '}· {score.n > 0 && `${plural(score.n, 'judgement')} · `}
        {plural(score.paid_steps, 'paid step')}
      </span>
    </p>
  )
}
