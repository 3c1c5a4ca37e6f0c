import { useTranslations } from 'next-intl'
import { layOutRoomDiagram, lineHeight, stateSize } from './room-diagram-layout.ts'

/** The state diagram of a room. The table beside it has the same content as text. */
export function RoomStateDiagram() {
  const t = useTranslations('goals.roomStateDiagram')
  const { width, height, states, arrows } = layOutRoomDiagram()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={t('drawingOfStates')} tabIndex={0} className="overflow-x-auto rounded-lg border bg-surface">
      <svg
        role="img"
        aria-labelledby="drawing-title drawing-words"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className="mx-auto block max-w-none text-xs"
      >
        <title id="drawing-title">{t('statesOfRoom')}</title>
        <desc id="drawing-words">
          {t('tableSaysSame', {
            arrows: arrows.map(({ from, to, names }) => t('fromToBy', { from, to, names: names.join(' or ') })).join(' '),
          })}
        </desc>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
            <path d="M0 0 L8 4 L0 8 z" className="fill-muted" />
          </marker>
        </defs>
        {arrows.map(({ from, to, points }) => (
          <path
            key={`${from} ${to}`}
            d={points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ')}
            markerEnd="url(#tip)"
            strokeLinejoin="round"
            className="fill-none stroke-line-strong"
          />
        ))}
        {arrows.map(({ from, to, names, label, labelSize }) => (
          <g key={`${from} ${to}`}>
            <rect x={label.x - labelSize.width / 2} y={label.y - labelSize.height / 2} {...labelSize} rx={3} className="fill-surface" />
            {names.map((name, line) => (
              <text
                key={name}
                x={label.x}
                y={label.y + (line - (names.length - 1) / 2) * lineHeight + 4}
                textAnchor="middle"
                className="fill-muted"
              >
                {name}
              </text>
            ))}
          </g>
        ))}
        {states.map(({ state, x, y }) => (
          <g key={state}>
            <rect
              x={x - stateSize.width / 2}
              y={y - stateSize.height / 2}
              {...stateSize}
              rx={6}
              strokeWidth={2}
              className="fill-accent-soft stroke-accent"
            />
            <text x={x} y={y + 5} textAnchor="middle" className="fill-accent-ink font-semibold text-sm">
              {state}
            </text>
          </g>
        ))}
      </svg>
    </section>
  )
}
