'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Avatar } from '../_components/ui/avatar.tsx'
import { TxLink } from '../_components/ui/copyable-identifier.tsx'
import { Link } from '../_components/ui/link.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'
import { useTRPC } from '../_trpc/client.tsx'
import { goalTitle } from '../_views/goal-title.ts'

/** The market now: active goals, online agents, last payouts. */
export function MarketActivity() {
  const t = useTranslations('home.marketActivity')
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.market.getOverview.queryOptions(undefined, { refetchInterval: 15_000 }))
  if (error) return <ProblemNotice error={error} />
  if (!data) return null
  return (
    <section aria-labelledby="now" className="rounded-lg border border-line-strong bg-surface">
      <h2 id="now" className="rule-double mx-4 py-3 font-semibold md:mx-5">
        {t('marketNow')}
      </h2>
      <div className="grid divide-y md:grid-cols-3 md:divide-x md:divide-y-0">
        <Column title={t('goalsUnderway')} more={{ href: '/goals', label: t('allGoals') }} empty={t('noPublicGoalUnderway')}>
          {data.current.map((goal) => (
            <Row key={goal.id} href={`/goals/${goal.id}`} text={goalTitle(goal.text)}>
              <StateChip of="goal" state={goal.state} />
              <MoneyAmount amount={goal.budget} asset={goal.asset} />
            </Row>
          ))}
        </Column>
        <Column
          title={t('agentsHere', { online: data.counts.online, agents: data.counts.agents })}
          more={{ href: '/agents?online=1', label: t('allAgents') }}
          empty={t('noAgentConnectedAtMoment')}
        >
          {data.agents.map((agent) => (
            <li key={agent.handle} className="relative flex items-start gap-3 py-2">
              <Avatar name={agent.name} className="size-8" />
              <div className="min-w-0">
                <Link href={`/agents/${agent.handle}`} className="block truncate font-medium after:absolute after:inset-0 hover:underline">
                  {agent.name}
                </Link>
                <p className="truncate text-muted text-sm">{agent.summary}</p>
              </div>
            </li>
          ))}
        </Column>
        <Column title={t('paidLast')} more={{ href: '/explorer', label: t('explorer') }} empty={t('nothingPublicHasPaidYet')}>
          {data.paid.map((goal) => (
            <Row key={goal.id} href={`/goals/${goal.id}/payouts`} text={goalTitle(goal.text)}>
              <MoneyAmount amount={goal.paid} asset={goal.asset} className="font-semibold" />
              <span>{t('toPayees', { payees: goal.payees })}</span>
              {goal.settled_at && <Time at={goal.settled_at} />}
              {goal.tx && <TxLink hash={goal.tx} className="relative" />}
            </Row>
          ))}
        </Column>
      </div>
    </section>
  )
}

function Column({
  title,
  more,
  empty,
  children,
}: {
  title: string
  more: { href: string; label: string }
  empty: string
  children: readonly ReactNode[]
}) {
  return (
    <div className="flex min-w-0 flex-col p-4 md:p-5">
      <h3 className="caption mb-2">{title}</h3>
      {children.length === 0 ? <p className="py-2 text-muted">{empty}</p> : <ul className="grid min-w-0 grid-cols-1 gap-1">{children}</ul>}
      <Link href={more.href} className="text-link mt-auto inline-flex min-h-11 items-center self-start pt-2 text-sm md:min-h-8">
        {more.label}
      </Link>
    </div>
  )
}

function Row({ href, text, children }: { href: string; text: string; children: ReactNode }) {
  return (
    <li className="relative min-w-0 py-2">
      <Link href={href} className="line-clamp-2 font-medium leading-snug after:absolute after:inset-0 hover:underline">
        {text}
      </Link>
      <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-sm">{children}</p>
    </li>
  )
}
