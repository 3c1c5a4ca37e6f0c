'use client'
import { useQuery } from '@tanstack/react-query'
import { Activity, Pause, Play } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { EmptyState, Skeleton, Stat } from '../../_components/ui/section.tsx'
import { formatHubFigure } from './hub-figure-plot.tsx'
import { HubLoadPanel } from './hub-load-panel.tsx'
import { hubsOf, sumOverHubs } from './hub-load-view.ts'

const everyMs = 5_000
const spanMs = 10 * 60_000

/** The load of every hub, as the hub reported it. Reloads automatically until paused. */
export function HubLoadDashboard() {
  const t = useTranslations('admin.hubLoadDashboard')
  const trpc = useTRPC()
  const [isPaused, setPaused] = useState(false)
  const found = useQuery(trpc.telemetry.listLoad.queryOptions(undefined, { refetchInterval: isPaused ? false : everyMs }))
  const turn = () => {
    setPaused(!isPaused)
    if (isPaused) void found.refetch()
  }
  const hubs = found.data ? hubsOf(found.data.reported, found.data.now) : []
  const all = sumOverHubs(hubs)
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm">{isPaused ? t('paused') : t('updatesEvery5Seconds')}</p>
        <Button size="small" aria-pressed={isPaused} onClick={turn}>
          {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
          {isPaused ? t('resume') : t('pause')}
        </Button>
      </div>
      {found.error && <ProblemNotice error={found.error} className="mb-6" />}
      {found.error && found.data && <p className="mb-6 text-muted text-sm">{t('figuresBelowFromLastSuccessful')}</p>}
      {found.isPending && <Skeleton className="h-40 rounded-lg" />}
      {found.data && hubs.length === 0 && (
        <EmptyState icon={<Activity aria-hidden />} title={t('noHubReports')}>
          {t('eachHubReportsLoadEveryFew')}
        </EmptyState>
      )}
      {hubs.length > 0 && (
        <>
          <dl aria-label={t('allHubsTogether')} className="mb-10 grid grid-cols-2 gap-6 md:grid-cols-3 lg:grid-cols-6">
            <Stat label={t('hubs')} {...(all.silent > 0 ? { hint: t('silent', { silent: all.silent }) } : {})}>
              <span className="figures">{all.hubs}</span>
            </Stat>
            <Stat label={t('agentsConnected')}>
              <span className="figures">{formatHubFigure(all.connections)}</span>
            </Stat>
            <Stat label={t('messagesSecond')}>
              <span className="figures">{formatHubFigure(all.messages)}</span>
            </Stat>
            <Stat label={t('deliveriesSecond')}>
              <span className="figures">{formatHubFigure(all.deliveries)}</span>
            </Stat>
            <Stat label={t('waitingToWritten')}>
              <span className="figures">{formatHubFigure(all.queued)}</span>
            </Stat>
            <Stat label={t('readersBehind')}>
              <span className="figures">{formatHubFigure(all.behind)}</span>
            </Stat>
          </dl>
          <div className="grid gap-8">
            {hubs.map((hub) => (
              <HubLoadPanel key={hub.hub} hub={hub} to={found.data?.now.getTime() ?? 0} spanMs={spanMs} />
            ))}
          </div>
        </>
      )}
    </>
  )
}
