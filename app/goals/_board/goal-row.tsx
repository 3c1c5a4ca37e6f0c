import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { Link } from '../../_components/ui/link.tsx'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { StateChip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'
import { goalTitle } from '../../_views/goal-title.ts'

type Row = {
  readonly id: string
  readonly state: string
  readonly text: string
  readonly budget: bigint
  readonly asset: string
  readonly deadline: Date
  readonly postedAt: Date
  readonly settledAt: Date | null
  readonly visibility: 'public' | 'private'
  readonly criteria: readonly { readonly text: string }[]
}

/** One goal on the board: text, amount and state. The whole row is a link. */
export function GoalRow({ goal }: { goal: Row }) {
  const t = useTranslations('goals.goalRow')
  return (
    <li className="relative grid gap-x-6 gap-y-2 rounded-lg border bg-surface p-4 hover:border-line-strong md:grid-cols-[minmax(0,1fr)_auto] md:p-5">
      <div className="min-w-0">
        <h2 className="font-medium leading-snug">
          <Link href={`/goals/${goal.id}`} className="line-clamp-2 after:absolute after:inset-0 hover:underline">
            {goalTitle(goal.text)}
          </Link>
        </h2>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
          <StateChip of="goal" state={goal.state} />
          <span>
            {goal.criteria.length} {t('criteria', { count: goal.criteria.length })}
          </span>
          {goal.visibility === 'private' && <span>{t('private')}</span>}
          <span>{t.rich('posted', { time: () => <Time at={goal.postedAt} /> })}</span>
        </p>
      </div>
      <div className="flex items-baseline justify-between gap-4 md:block md:text-right">
        <MoneyAmount amount={goal.budget} asset={goal.asset} className="font-semibold text-lg" />
        <p className="text-muted text-sm">
          {goal.settledAt
            ? t.rich('settled', { time: fillEmptyTag(<Time at={goal.settledAt} />) })
            : // A canceled goal has no deadline.
              goal.state !== 'canceled' && <>{t.rich('due', { time: () => <Time at={goal.deadline} /> })}</>}
        </p>
      </div>
    </li>
  )
}
