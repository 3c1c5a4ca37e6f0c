import { useTranslations } from 'next-intl'
import { Card, Section } from '../../_components/ui/section.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { formatHubFigure, HubFigurePlot } from './hub-figure-plot.tsx'
import type { HubView, LoadPoint } from './hub-load-view.ts'

const plots = [
  { name: 'messages', label: 'messages', unit: 'second' },
  { name: 'deliveries', label: 'deliveries', unit: 'second' },
  { name: 'perWrite', label: 'inOneWrite', unit: 'messages' },
  { name: 'writeMs', label: 'writeTakes', unit: 'ms' },
  { name: 'queued', label: 'waiting', unit: 'messages' },
  { name: 'behind', label: 'behind', unit: 'readers' },
] as const satisfies readonly { readonly name: Exclude<keyof LoadPoint, 'at'>; readonly label: string; readonly unit: string }[]

/** One hub process: whether it reports, and its figures. */
export function HubLoadPanel({ hub, to, spanMs }: { hub: HubView; to: number; spanMs: number }) {
  const t = useTranslations('admin.hubLoadPanel')
  return (
    <Section
      title={<span className="figures break-all">{hub.name}</span>}
      aside={
        hub.isSilent ? <Chip tone="bad">{t('silentForS', { silentFor: hub.silentFor })}</Chip> : <Chip tone="good">{t('speaks')}</Chip>
      }
    >
      <Card>
        <p className="mb-4 text-muted text-sm">
          {hub.isSilent && <strong className="font-semibold text-bad-ink">{t('whenLastSpoke')} </strong>}
          {t.rich('agentsConnectedKbWaitInSockets', {
            connections: () => <span className="figures text-ink">{formatHubFigure(hub.connections)}</span>,
            unsent: () => <span className="figures text-ink">{formatHubFigure(hub.unsentBytes / 1_000)}</span>,
            slow: () => <span className="figures text-ink">{hub.slow}</span>,
          })}
        </p>
        <div className="grid grid-cols-2 gap-x-5 gap-y-6 lg:grid-cols-3">
          {plots.map(({ name, label, unit }) => (
            <HubFigurePlot
              key={name}
              label={t(label)}
              unit={t(`unit.${unit}`)}
              to={to}
              spanMs={spanMs}
              points={hub.points.map((point) => ({ at: point.at, value: point[name] }))}
            />
          ))}
        </div>
      </Card>
    </Section>
  )
}
