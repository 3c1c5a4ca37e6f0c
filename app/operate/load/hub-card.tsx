import { Card, Section } from '../../_components/ui/card.tsx'
import { Chip } from '../../_components/ui/chip.tsx'
import type { HubView, LoadPoint } from '../../_views/load.ts'
import { LoadPlot, read } from './load-plot.tsx'

const plots: readonly { readonly name: Exclude<keyof LoadPoint, 'at'>; readonly label: string; readonly unit: string }[] = [
  { name: 'messages', label: 'Messages', unit: 'a second' },
  { name: 'deliveries', label: 'Deliveries', unit: 'a second' },
  { name: 'perWrite', label: 'In one write', unit: 'messages' },
  { name: 'writeMs', label: 'A write takes', unit: 'ms' },
  { name: 'queued', label: 'Waiting', unit: 'messages' },
  { name: 'behind', label: 'Behind', unit: 'readers' },
]

/** One hub process: whether it speaks, and how it has been doing. */
export function HubCard({ hub, to, spanMs }: { hub: HubView; to: number; spanMs: number }) {
  return (
    <Section
      title={<span className="figures break-all">{hub.name}</span>}
      aside={hub.isSilent ? <Chip tone="bad">silent for {hub.silentFor} s</Chip> : <Chip tone="good">speaks</Chip>}
    >
      <Card>
        <p className="mb-4 text-muted text-sm">
          {hub.isSilent && <strong className="font-semibold text-bad-ink">When it last spoke: </strong>}
          <span className="figures text-ink">{read(hub.connections)}</span> agents connected ·{' '}
          <span className="figures text-ink">{read(hub.unsentBytes / 1_000)}</span> kB wait in sockets ·{' '}
          <span className="figures text-ink">{hub.slow}</span> slow readers cut off since it started
        </p>
        <div className="grid grid-cols-2 gap-x-5 gap-y-6 lg:grid-cols-3">
          {plots.map(({ name, label, unit }) => (
            <LoadPlot
              key={name}
              label={label}
              unit={unit}
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
