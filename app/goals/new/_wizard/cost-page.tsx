'use client'
import { feeOn, type GoalBrief, payableOf, processingFeeOn } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../_components/market.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Card, Section, Skeleton } from '../../../_components/ui/card.tsx'
import { Money, MoneyIn, MoneyLine } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import type { DraftFault, GoalDraft } from '../../../_views/goal-draft.ts'
import { EstimateTable } from './estimate-table.tsx'
import { PlanPreview } from './plan-preview.tsx'
import { RailChoice } from './rail-choice.tsx'

type Props = {
  draft: GoalDraft
  /** Null while something on the pages before stands in its way: `faults`. */
  goal: GoalBrief | null
  faults: readonly DraftFault[]
  onFix: (field: DraftFault['field']) => void
  balance: bigint | null
  change: (change: Partial<GoalDraft>) => void
}

/** Every figure before any money moves: the likely cost, the fee, what comes back, and what happens when things go wrong. */
export function CostPage({ draft, goal, faults, onFix, ...rest }: Props) {
  if (goal) return <Costs draft={draft} goal={goal} {...rest} />
  return (
    <>
      <RailChoice rail={draft.rail} value={null} onChange={(rail) => rest.change({ rail })} />
      <Notice
        kind="warning"
        title={faults.length === 1 ? 'Fix 1 problem before you post.' : `Fix ${faults.length} problems before you post.`}
      >
        <ul className="mt-1 grid gap-1">
          {faults.map((fault) => (
            <li key={`${fault.field} ${fault.text}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>{fault.text}</span>
              <Button size="small" onClick={() => onFix(fault.field)}>
                Change it
              </Button>
            </li>
          ))}
        </ul>
      </Notice>
    </>
  )
}

type CostsProps = Pick<Props, 'draft' | 'balance' | 'change'> & { goal: GoalBrief }

function Costs({ draft, goal, balance, change }: CostsProps) {
  const trpc = useTRPC()
  const { feeBps, cardFee } = useMarket()
  const at_hand = draft.attachments.some((file) => file.mediaType === 'text/csv') ? ['table.csv'] : []
  const wanted = draft.deliverables.length > 0 ? [...draft.deliverables] : ['report.markdown']
  // The planner has the criteria checked wherever somebody offers to.
  const { data, error } = useQuery(trpc.goals.estimate.queryOptions({ wanted: [...wanted, 'review.verdict'], at_hand }))
  const missing = data?.missing.filter((type) => type !== 'review.verdict') ?? []
  const total = BigInt(goal.budget)
  const likely = data?.likely ?? 0n
  const fee = feeOn(likely, feeBps)
  const isTooLow = data !== undefined && data.low > payableOf(total, feeBps)
  const isCard = draft.rail === 'stripe'
  const processing = isCard && cardFee ? processingFeeOn(total / 10_000n, cardFee) * 10_000n : 0n
  return (
    <MoneyIn symbol={isCard ? 'USD' : null}>
      <RailChoice rail={draft.rail} value={total} onChange={(rail) => change({ rail })} />
      <Section title="Likely plan" level={3} aside="Estimate, from who is online now">
        <p className="mb-3 text-muted text-sm">
          This is an estimate from the results that you chose under “What you want to receive”, not from your text. The planner reads the
          text: its charter can have other steps and another price, within your budget.
        </p>
        {!data && !error && <Skeleton className="h-40 rounded-lg" />}
        {data && <PlanPreview preview={data.preview} msLeft={Date.parse(goal.deadline) - Date.now()} />}
      </Section>
      <Section title="Likely cost" level={3} aside="From what is listed and online now">
        {error && <ProblemNotice error={error} />}
        {!data && !error && <Skeleton className="h-40 rounded-lg" />}
        {data && <EstimateTable estimate={data} />}
        {data?.planners === 0 && (
          <Notice kind="warning" title="No planner is online now." className="mt-3">
            The goal waits for one until its deadline, and comes back whole if none comes.
          </Notice>
        )}
        {missing.length > 0 && (
          <Notice kind="warning" title={`Nobody online offers: ${missing.join(', ')}.`} className="mt-3">
            The planner may find another way, or agents may come. If not, everything is refunded.
          </Notice>
        )}
        {isTooLow && (
          <Notice kind="warning" title="The budget is below the lowest listed prices." className="mt-3">
            A planner may not find a team within it. You can still post.
          </Notice>
        )}
      </Section>
      <Section title={isCard ? 'What you pay' : 'What you sign for'} level={3}>
        <Card>
          <dl className="grid gap-2">
            <MoneyLine label={isCard ? 'Charged to your card now' : 'Set aside in the escrow'} amount={total + processing} isStrong />
            <MoneyLine label="Likely paid to agents" amount={likely} />
            <MoneyLine label={`Platform fee, ${feeBps / 100} % of what is paid`} amount={fee} />
            <MoneyLine label={isCard ? 'Card processing fee, not refunded' : 'Network fee, paid by the platform'} amount={processing} />
            <div className="rule-double" />
            <MoneyLine label="Likely to come back to you" amount={total > likely + fee ? total - likely - fee : 0n} isStrong />
          </dl>
          {!isCard && balance !== null && balance < total && (
            <Notice kind="bad" title="Your wallet holds too little for this budget." className="mt-3">
              It holds <Money amount={balance} />.
            </Notice>
          )}
        </Card>
      </Section>
      <Section title="What can happen" level={3}>
        <ul className="grid gap-2 text-muted">
          <li>
            <strong className="text-ink">Nobody takes it, or nobody delivers</strong> by <Time at={goal.deadline} isAbsolute />: the whole
            budget comes back{isCard ? '. Only the card processing fee does not.' : ', without a fee.'}
          </li>
          <li>
            <strong className="text-ink">It is delivered</strong>: you have {goal.review_hours} hours to accept or return it, step by step.
          </li>
          <li>
            <strong className="text-ink">You say nothing</strong> in that time: the delivered work is paid, the rest comes back.
          </li>
          <li>
            <strong className="text-ink">A criterion can’t be met</strong>: the planner ends the goal, and the whole budget comes back.
          </li>
          <li>
            <strong className="text-ink">You stop it</strong>: finished steps are paid, everything else comes back at once.
          </li>
          <li>
            <strong className="text-ink">We disappear</strong>:{' '}
            {isCard
              ? 'your bank can reverse the charge. A card payment has no contract that pays without us.'
              : 'after the review window, anyone can send the rest back to you. No key can stop it.'}
          </li>
        </ul>
      </Section>
    </MoneyIn>
  )
}
