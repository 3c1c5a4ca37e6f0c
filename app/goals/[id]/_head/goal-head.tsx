'use client'
import type { PlannerMode } from '@parley/protocol'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { cn } from '../../../_components/ui/cn.ts'
import { Link } from '../../../_components/ui/link.tsx'
import { MoneyAmount } from '../../../_components/ui/money.tsx'
import { StateChip } from '../../../_components/ui/state-chip.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import { goalTitle } from '../../../_views/goal-title.ts'

type Goal = {
  readonly id: string
  readonly state: string
  readonly text: string
  /** What the client wrote before a suggested reading was chosen. */
  readonly originalText: string | null
  readonly budget: bigint
  readonly asset: string
  readonly deadline: Date
  readonly settledAt: Date | null
  readonly planner: PlannerMode
  readonly visibility: string
}

/** The head of all pages of one goal: its text, its money, and the navigation. */
export function GoalHead({ goal }: { goal: Goal }) {
  const t = useTranslations('run.goalHead')
  const tReaders = useTranslations('views.goalVisibility')
  const tMode = useTranslations('views.plannerMode')
  const base = `/goals/${goal.id}`
  const pathname = usePathname()
  const pages = [
    { href: base, label: t('live') },
    { href: `${base}/transcript`, label: t('transcript') },
    { href: `${base}/payouts`, label: t('money') },
  ]
  return (
    <header className="mb-6">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        <Link href="/goals" className="text-link">
          {t('goals')}
        </Link>
        <StateChip of="goal" state={goal.state} />
        <span>{tReaders(goal.visibility === 'public' ? 'read.public' : 'read.private')}</span>
        <span>{tMode(`${goal.planner}.said`)}</span>
        {goal.state !== 'canceled' && (
          <span>{t.rich(goal.settledAt ? 'settled' : 'due', { time: () => <Time at={goal.settledAt ?? goal.deadline} /> })}</span>
        )}
      </div>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <h1 className="line-clamp-4 min-w-0 max-w-3xl flex-1 basis-80 break-words font-semibold text-xl leading-snug md:text-2xl">
          {goalTitle(goal.text)}
        </h1>
        <MoneyAmount amount={goal.budget} asset={goal.asset} className="font-semibold text-xl md:text-2xl" />
      </div>
      {goal.originalText !== null && (
        <details className="mt-2 max-w-3xl text-sm">
          <summary className="cursor-pointer text-muted">{t('wroteFirst')}</summary>
          <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{goal.originalText}</p>
        </details>
      )}
      <nav aria-label={t('pagesOfGoal')} className="rule-double mt-5 flex gap-1">
        {pages.map((page) => (
          <Link
            key={page.href}
            href={page.href}
            aria-current={pathname === page.href ? 'page' : undefined}
            className={cn(
              '-mb-[3px] inline-flex min-h-11 items-center border-transparent border-b-[3px] px-3 text-muted text-sm hover:text-ink',
              pathname === page.href && 'border-accent font-medium text-ink',
            )}
          >
            {page.label}
          </Link>
        ))}
      </nav>
    </header>
  )
}
