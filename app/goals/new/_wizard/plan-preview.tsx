'use client'
import { formatAmount } from '@parley/protocol'
import type { PlanPreview as Preview } from '@/server/trpc/views/preview-plan.ts'
import { useMarket } from '../../../_components/market.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { card, durationWords, linesOf, type PlacedStep, placeSteps } from '../../../_views/preview-graph.ts'

const margin = 2

/** The likely plan before any money moves: drawn where there is room, and as a list for readers and small screens. */
export function PlanPreview({ preview, msLeft }: { preview: Preview; msLeft: number }) {
  const { decimals, symbol } = useMarket()
  if (preview.steps.length === 0)
    return (
      <Notice kind="warning" title="No plan can be made of what is online now.">
        What is missing stands below. A planner looks again until the deadline.
      </Notice>
    )
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
            <StepBox key={node.step.step} node={node} price={money(node.step.likely)} />
          ))}
        </svg>
      </div>
      <ol className="grid gap-1 rounded-lg border bg-surface p-4 md:sr-only" aria-label="Likely steps">
        {preview.steps.map((step) => (
          <li key={step.step} className="leading-snug">
            <span className="font-medium">
              {step.step}. {step.name}
            </span>
            <span className="block text-muted text-sm">
              {[
                money(step.likely),
                durationWords(step.seconds),
                step.after.length > 0 ? `after ${step.after.join(', ')}` : 'begins at once',
                ...(step.isBeside ? ['beside others'] : []),
                ...(step.isCritical ? ['on the critical path'] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ol>
      <p className="text-muted text-sm">
        {sentenceOf(preview)} <span className="hidden md:inline">Dashed steps run beside others; the room waits for the rest.</span>
      </p>
      {isLate && (
        <Notice kind="warning" title="The deadline may be too early.">
          Going by past work, the critical path takes {durationWords(preview.seconds)}.
        </Notice>
      )}
    </div>
  )
}

function sentenceOf({ steps, seconds, unmeasured }: Preview): string {
  const path = steps.filter((step) => step.isCritical).map((step) => step.step)
  const way = path.length > 1 ? `The critical path is ${path.join(' → ')}` : 'There is one step'
  if (seconds === null) return `${way}. There are no measurements of its duration yet.`
  const rest = unmeasured.length > 0 ? `, without step ${unmeasured.join(', ')}, which has no measurements yet` : ''
  return `${way}: ${durationWords(seconds)} of work${rest}.`
}

function StepBox({ node, price }: { node: PlacedStep; price: string }) {
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
      {linesOf(`${step.step}. ${step.name}`).map((line, index) => (
        <text key={line} x={12} y={22 + index * 17} className="fill-ink font-medium text-[14px]">
          {line}
        </text>
      ))}
      <text x={12} y={62} className="fill-muted text-[13px]">
        {price}
      </text>
      <text x={12} y={80} className="fill-muted text-[13px]">
        {durationWords(step.seconds)}
      </text>
    </g>
  )
}
