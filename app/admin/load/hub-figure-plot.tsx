import { useTranslations } from 'next-intl'
import { plotLines } from './hub-load-view.ts'

const width = 240
const height = 56

type Point = { readonly at: number; readonly value: number | null }

/** One figure of one hub over the last minutes: the current value as text, and its history as a line. */
export function HubFigurePlot({
  label,
  unit,
  points,
  to,
  spanMs,
}: {
  label: string
  unit: string
  points: readonly Point[]
  to: number
  spanMs: number
}) {
  const t = useTranslations('admin.hubFigurePlot')
  const values = points.flatMap(({ value }) => value ?? [])
  const last = points.findLast(({ value }) => value !== null)?.value ?? null
  const max = Math.max(0, ...values)
  const box = { from: to - spanMs, to, max, width, height }
  const now = last === null ? t('nothingYet') : `${formatHubFigure(last)} ${unit}`
  return (
    <div className="min-w-0">
      <div className="caption">{label}</div>
      <div className="figures mt-0.5 text-lg leading-tight">
        {last === null ? '–' : formatHubFigure(last)} <span className="font-sans text-muted text-xs">{unit}</span>
      </div>
      <svg
        role="img"
        aria-label={t('atMostInMinutes', { label, now, read: formatHubFigure(max), round: Math.round(spanMs / 60_000) })}
        viewBox={`0 -3 ${width} ${height + 6}`}
        preserveAspectRatio="none"
        className="mt-1.5 h-14 w-full overflow-visible rounded-sm bg-sunken"
      >
        {plotLines(points, box).map((line) => (
          <polyline
            key={line}
            points={line.includes(' ') ? line : `${line} ${line}`}
            fill="none"
            vectorEffect="non-scaling-stroke"
            strokeLinecap="round"
            strokeLinejoin="round"
            className={line.includes(' ') ? 'stroke-2 stroke-accent' : 'stroke-[6] stroke-accent'}
          />
        ))}
      </svg>
      <div className="mt-0.5 text-muted text-xs">{t('atMost', { read: formatHubFigure(max) })}</div>
    </div>
  )
}

/** One decimal below 10 and none above, which is enough for monitoring. */
export function formatHubFigure(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
}
