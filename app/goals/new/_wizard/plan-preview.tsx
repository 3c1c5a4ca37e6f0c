'use client'
import { formatAmount } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'
import type { PlanPreview as Preview } from '@/server/trpc/views/preview-plan.ts'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { card, durationLabel, type PlacedStep, placeSteps, wrapName } from './plan-preview-layout.ts'

const margin = 2

/** The quoted plan before funding: as a graph if there is space, and as a list for readers and small screens. */
export function PlanPreviewPanel({ preview, msLeft }: { preview: Preview; msLeft: number }) {
  const t = useTranslations('post.planPreview')
  const tDuration = useTranslations('post.duration')
  const { decimals, symbol } = useMarket()
  const graph = placeSteps(preview.steps)
  const money = (amount: bigint) => `${formatAmount(amount, decimals)} ${symbol}`
  const isLate = preview.seconds !== null && preview.seconds * 1_000 > msLeft
  return (
    <div className="grid gap-3">
      <div className="hidden overflow-x-auto rounded-lg border bg-surface p-4 md:block">
        <svg
          aria-hidden
          viewBox={`${-margin} ${-margin} ${graph.width + 2 * margin} ${graph.height + 2 * margin}`}
          style={{ maxWidth: graph.width + 2 * margin }}
          className="w-full"
        >
          {graph.edges.map((edge) => (
            <path
              key={`${edge.from}-${edge.to}`}
              d={edge.path}
              fill="none"
              strokeWidth={edge.isCritical ? 2.5 : 1.5}
              className={edge.isCritical ? 'stroke-accent' : 'stroke-line-strong'}
            />
          ))}
          {graph.nodes.map((node) => (
            <StepBox key={node.step.step} node={node} price={money(node.step.price)} />
          ))}
        </svg>
      </div>
      <ol className="grid gap-1 rounded-lg border bg-surface p-4 md:sr-only" aria-label={t('likelySteps')}>
        {preview.steps.map((step) => (
          <li key={step.step} className="leading-snug">
            <span className="font-medium">
              {step.step}. {step.name}
            </span>
            <span className="block text-muted text-sm">
              {[
                step.agentName,
                money(step.price),
                durationLabel(step.seconds, tDuration),
                step.after.length > 0 ? t('after', { after: step.after.join(', ') }) : t('beginsAtOnce'),
                ...(step.isBeside ? [t('besideOthers')] : []),
                ...(step.isCritical ? [t('onCriticalPath')] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ol>
      <p className="text-muted text-sm">
        {sentenceOf(preview, t, tDuration)}{' '}
        {preview.steps.some(({ isBeside }) => isBeside) && <span className="hidden md:inline">{t('dashedStepsRunBesideOthers')}</span>}
      </p>
      {isLate && (
        <Notice kind="warning" title={t('deadlineMayTooEarly')}>
          {t('goingByPastWorkCriticalPath', { duration: durationLabel(preview.seconds, tDuration) })}
        </Notice>
      )}
    </div>
  )
}

type Words = Translate<'post.planPreview'>

function sentenceOf({ steps, seconds, unmeasured }: Preview, t: Words, tDuration: Translate<'post.duration'>): string {
  const path = steps.filter((step) => step.isCritical).map((step) => step.step)
  const way = path.length > 1 ? t('criticalPath', { path: path.join(' → ') }) : t('thereOneStep')
  if (seconds === null) return t('thereNoMeasurementsOfDurationYet', { way })
  const rest = unmeasured.length > 0 ? t('withoutStepWhichHasNoMeasurements', { unmeasured: unmeasured.join(', ') }) : ''
  return t('ofWork', { way, duration: durationLabel(seconds, tDuration), rest })
}

function StepBox({ node, price }: { node: PlacedStep; price: string }) {
  const tDuration = useTranslations('post.duration')
  const { step, x, y } = node
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect
        width={card.width}
        height={card.height}
        rx={6}
        strokeWidth={step.isCritical ? 2 : 1.5}
        strokeDasharray={step.isBeside ? '5 4' : undefined}
        className={`fill-surface ${step.isCritical ? 'stroke-accent' : 'stroke-line-strong'}`}
      />
      {wrapName(`${step.step}. ${step.name}`).map((line, index) => (
        <text key={line} x={12} y={22 + index * 17} className="fill-ink font-medium text-[14px]">
          {line}
        </text>
      ))}
      <text x={12} y={62} className="fill-muted text-[13px]">
        {wrapName(step.agentName)[0]}
      </text>
      <text x={12} y={80} className="fill-muted text-[13px]">
        {step.seconds === null ? price : `${price} · ${durationLabel(step.seconds, tDuration)}`}
      </text>
    </g>
  )
}
