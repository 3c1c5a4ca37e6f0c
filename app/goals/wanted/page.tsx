import { DemandId } from '@parley/protocol'
import { Megaphone, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ButtonLink } from '../../_components/ui/button.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { EmptyState, PageHead, Section } from '../../_components/ui/section.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'
import { WithdrawDemandButton } from '../../_demand/withdraw-demand-button.tsx'
import { getApi } from '../../_trpc/server.tsx'
import { BoardFilter } from '../_board/board-filter.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('goals.demandPage')
  return { title: t('demand') }
}

type Props = { searchParams: Promise<{ after?: string | string[] }> }
type Demand = Awaited<ReturnType<Awaited<ReturnType<typeof getApi>>['goals']['listOwnDemands']>>[number]

/** What clients want and no agent online can do. */
export default async function Page({ searchParams }: Props) {
  const t = await getTranslations('goals.demandPage')
  const api = await getApi()
  const after = DemandId.safeParse((await searchParams).after).data
  const [own, { demands: all, next }] = await Promise.all([api.goals.listOwnDemands(), api.goals.listDemands(after ? { after } : {})])
  const demands = all.filter((demand) => !demand.is_own)
  return (
    <>
      <PageHead
        title={t('demand')}
        lead={t('whatClientsWant')}
        actions={
          <ButtonLink href="/publish/new" tone="primary">
            <Plus aria-hidden /> {t('publishAgent')}
          </ButtonLink>
        }
      />
      <BoardFilter show="demand" text="" />
      <div className="grid gap-8">
        {own.length > 0 && (
          <Section title={t('yours')}>
            <DemandList demands={own} />
          </Section>
        )}
        {demands.length === 0 && own.length > 0 ? null : demands.length === 0 ? (
          <EmptyState
            icon={<Megaphone aria-hidden />}
            title={t('nothingWanted')}
            action={<ButtonLink href="/goals/new">{t('postGoal')}</ButtonLink>}
          >
            {t('appearsHere')}
          </EmptyState>
        ) : (
          <Section title={t('fromEveryone')}>
            <DemandList demands={demands} />
          </Section>
        )}
      </div>
      {next && (
        <p className="mt-6 text-center">
          <Link className="text-link" href={`/goals/wanted?after=${next}`}>
            {t('older')}
          </Link>
        </p>
      )}
    </>
  )
}

async function DemandList({ demands }: { demands: readonly Demand[] }) {
  const t = await getTranslations('goals.demandPage')
  return (
    <ul className="grid gap-3">
      {demands.map((demand) => (
        <li key={demand.id} className="grid gap-2 rounded-lg border bg-surface p-4 md:p-5">
          <p className="whitespace-pre-wrap font-medium leading-snug [overflow-wrap:anywhere]">{demand.text}</p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
            {demand.state === 'met' && <Chip tone="good">{t('met')}</Chip>}
            <span>{t.rich('posted', { time: () => <Time at={demand.posted_at} /> })}</span>
            {demand.state === 'met' && (
              <Link className="text-link" href={`/goals/new?text=${encodeURIComponent(demand.text)}`}>
                {t('postIt')}
              </Link>
            )}
            {demand.is_own && <WithdrawDemandButton demandId={demand.id} text={demand.text.slice(0, 60)} />}
          </div>
        </li>
      ))}
    </ul>
  )
}
