'use client'
import { feeOn, type GoalBrief, payableOf, processingFeeOn } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Card, Section, Skeleton } from '../../../_components/ui/card.tsx'
import { MoneyAmount, MoneyIn, MoneyLine } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import type { DraftFault, GoalDraft } from '../../../_views/goal-draft.ts'
import { EstimateTable } from './estimate-table.tsx'
import { PlanPreviewPanel } from './plan-preview.tsx'
import { RailChoice } from './rail-choice.tsx'

type Props = {
  draft: GoalDraft
  /** Null while the pages before have errors: `faults`. */
  goal: GoalBrief | null
  faults: readonly DraftFault[]
  onFix: (field: DraftFault['field']) => void
  balance: bigint | null
  change: (change: Partial<GoalDraft>) => void
}

/** All figures before funding: the likely cost, the fee, the refund, and the outcomes of failures. */
export function CostPage({ draft, goal, faults, onFix, ...rest }: Props) {
  const t = useTranslations('post.costPage')
  if (goal) return <Costs draft={draft} goal={goal} {...rest} />
  return (
    <>
      <RailChoice rail={draft.rail} value={null} onChange={(rail) => rest.change({ rail })} />
      <Notice kind="warning" title={t('fixProblemsBeforeYouPost', { count: faults.length })}>
        <ul className="mt-1 grid gap-1">
          {faults.map((fault) => (
            <li key={`${fault.field} ${fault.text}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>{fault.text}</span>
              <Button size="small" onClick={() => onFix(fault.field)}>
                {t('change')}
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
  const t = useTranslations('post.costPage')
  const trpc = useTRPC()
  const { feeBps, cardFee } = useMarket()
  const at_hand = draft.attachments.some((file) => file.mediaType === 'text/csv') ? ['table.csv'] : []
  const wanted = draft.deliverables.length > 0 ? [...draft.deliverables] : ['report.markdown']
  // The planner adds a review step if a reviewer is listed.
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
      <Section title={t('likelyPlan')} level={3} aside={t('estimateFromWhoOnlineNow')}>
        <p className="mb-3 text-muted text-sm">{t('estimateFromResultsYouChoseUnder')}</p>
        {!data && !error && <Skeleton className="h-40 rounded-lg" />}
        {data && <PlanPreviewPanel preview={data.preview} msLeft={Date.parse(goal.deadline) - Date.now()} />}
      </Section>
      <Section title={t('likelyCost')} level={3} aside={t('fromWhatListedOnlineNow')}>
        {error && <ProblemNotice error={error} />}
        {!data && !error && <Skeleton className="h-40 rounded-lg" />}
        {data && <EstimateTable estimate={data} />}
        {data?.planners === 0 && (
          <Notice kind="warning" title={t('noPlannerOnlineNow')} className="mt-3">
            {t('goalWaitsForOneUntilDeadline')}
          </Notice>
        )}
        {missing.length > 0 && (
          <Notice kind="warning" title={t('nobodyOnlineOffers', { missing: missing.join(', ') })} className="mt-3">
            {t('plannerMayFindAnotherWayOr')}
          </Notice>
        )}
        {isTooLow && (
          <Notice kind="warning" title={t('budgetBelowLowestListedPrices')} className="mt-3">
            {t('plannerMayNotFindTeamWithin')}
          </Notice>
        )}
      </Section>
      <Section title={isCard ? t('whatYouPay') : t('whatYouSignFor')} level={3}>
        <Card>
          <dl className="grid gap-2">
            <MoneyLine label={isCard ? t('chargedToYourCardNow') : t('setAsideInEscrow')} amount={total + processing} isStrong />
            <MoneyLine label={t('likelyPaidToAgents')} amount={likely} />
            <MoneyLine label={t('platformFeeOfWhatPaid', { feeBps: feeBps / 100 })} amount={fee} />
            <MoneyLine label={isCard ? t('cardProcessingFeeNotRefunded') : t('networkFeePaidByPlatform')} amount={processing} />
            <div className="rule-double" />
            <MoneyLine label={t('likelyToComeBackToYou')} amount={total > likely + fee ? total - likely - fee : 0n} isStrong />
          </dl>
          {!isCard && balance !== null && balance < total && (
            <Notice kind="bad" title={t('yourWalletHoldsTooLittleFor')} className="mt-3">
              {t.rich('holds', { money: () => <MoneyAmount amount={balance} /> })}
            </Notice>
          )}
        </Card>
      </Section>
      <WhatCanHappen goal={goal} isCard={isCard} />
    </MoneyIn>
  )
}

function WhatCanHappen({ goal, isCard }: { goal: GoalBrief; isCard: boolean }) {
  const t = useTranslations('post.costPage')
  return (
    <Section title={t('whatCanHappen')} level={3}>
      <ul className="grid gap-2 text-muted">
        <li>
          {t.rich('nobodyTakesOrNobodyDeliversBy', {
            strong: (chunks) => <strong className="text-ink">{chunks}</strong>,
            time: () => <Time at={goal.deadline} isAbsolute />,
            rail: isCard ? 'card' : 'wallet',
          })}
        </li>
        <li>
          {t.rich('delivered', { strong: (chunks) => <strong className="text-ink">{chunks}</strong>, review_hours: goal.review_hours })}
        </li>
        <li>{t.rich('youSayNothingInTime', { strong: (chunks) => <strong className="text-ink">{chunks}</strong> })}</li>
        <li>{t.rich('criterionCantMet', { strong: (chunks) => <strong className="text-ink">{chunks}</strong> })}</li>
        <li>{t.rich('youStop', { strong: (chunks) => <strong className="text-ink">{chunks}</strong> })}</li>
        <li>
          <strong className="text-ink">{t('weDisappear')}</strong>:{' '}
          {isCard ? t('yourBankCanReverseCharge') : t('afterReviewWindowAnyoneCanSend')}
        </li>
      </ul>
    </Section>
  )
}
