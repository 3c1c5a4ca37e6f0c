'use client'
import { type GoalBrief, processingFeeOn } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { MoneyAmount, MoneyIn, MoneyLine } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { Card, Section, Skeleton } from '../../../_components/ui/section.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import type { Quote } from '../../../_quote/use-request-quote.ts'
import type { DraftFault, GoalDraft } from '../_draft/goal-draft.ts'
import { draftPostingMode, isQuotedDraft } from './draft-posting-mode.ts'
import { PaymentRailChoice } from './payment-rail-choice.tsx'
import { PlanPreviewPanel } from './plan-preview.tsx'

type Props = {
  draft: GoalDraft
  /** Null while the pages before have errors: `faults`. */
  goal: GoalBrief | null
  faults: readonly DraftFault[]
  onFix: (field: DraftFault['field']) => void
  balance: bigint | null
  change: (change: Partial<GoalDraft>) => void
  /** Null while the goal is being read. */
  quote: Quote | null
}

/** All figures before funding: the quoted plan, the fee, the refund, and the outcomes of failures. */
export function CostPage({ draft, goal, faults, onFix, ...rest }: Props) {
  const t = useTranslations('post.costPage')
  const { quote } = rest
  if (goal && !quote) return <Skeleton className="h-96 rounded-lg" />
  if (goal && quote) return <Costs {...rest} draft={draft} goal={goal} quote={quote} />
  return (
    <>
      <PaymentRailChoice rail={draft.rail} value={null} onChange={(rail) => rest.change({ rail })} />
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

type CostsProps = Pick<Props, 'draft' | 'balance' | 'change'> & { goal: GoalBrief; quote: Quote }

function Costs({ draft, goal, balance, change, quote }: CostsProps) {
  const t = useTranslations('post.costPage')
  const { cardFee } = useMarket()
  const total = BigInt(goal.budget)
  const plan = 'steps' in quote.quote && draftPostingMode(draft, quote) === 'plan' ? quote.quote : null
  const isQuoted = isQuotedDraft(draft, quote)
  const isCard = draft.rail === 'stripe'
  const processing = isCard && cardFee ? processingFeeOn(total / 10_000n, cardFee) * 10_000n : 0n
  return (
    <MoneyIn symbol={isCard ? 'USD' : null}>
      <PaymentRailChoice rail={draft.rail} value={total} onChange={(rail) => change({ rail })} />
      <Section title={t('plan')} level={3} aside={t('fromAgentsOnlineNow')}>
        {plan && quote.preview ? (
          <PlanPreviewPanel preview={quote.preview} msLeft={Date.parse(goal.deadline) - Date.now()} />
        ) : (
          <Notice>{draft.isContest ? t('entriesFollowAfterPosting') : t('planFollowsAfterPosting')}</Notice>
        )}
      </Section>
      {!draft.isContest && (
        <Notice title={isQuoted ? t('quotedGoal') : t('openBounty')}>{isQuoted ? t('quotedGoalMeans') : t('openBountyMeans')}</Notice>
      )}
      {draft.isContest && quote.otherPlanners === 0 && <Notice kind="warning" title={t('noContestantOnline')} />}
      <Payment total={total} plan={plan} processing={processing} isCard={isCard} balance={balance} />
      <WhatCanHappen goal={goal} isCard={isCard} isQuoted={isQuoted} />
    </MoneyIn>
  )
}

type PaymentProps = {
  total: bigint
  plan: { readonly total: bigint; readonly fee: bigint } | null
  processing: bigint
  isCard: boolean
  balance: bigint | null
}

/** The lines add up: what is set aside pays the agents and the fee, and the rest comes back. */
function Payment({ total, plan, processing, isCard, balance }: PaymentProps) {
  const t = useTranslations('post.costPage')
  const { feeBps } = useMarket()
  return (
    <Section title={isCard ? t('whatYouPay') : t('whatYouSignFor')} level={3}>
      <Card>
        <dl className="grid gap-2">
          <MoneyLine label={isCard ? t('chargedToYourCardNow') : t('setAsideInEscrow')} amount={total + processing} isStrong />
          {plan && <MoneyLine label={t('likelyPaidToAgents')} amount={plan.total} />}
          {plan && <MoneyLine label={t('platformFeeOfWhatPaid', { feeBps: feeBps / 100 })} amount={plan.fee} />}
          <MoneyLine label={isCard ? t('cardProcessingFeeNotRefunded') : t('networkFeePaidByPlatform')} amount={processing} />
          {plan && <div className="rule-double" />}
          {plan && <MoneyLine label={t('refundedIfAllGoesWell')} amount={total - plan.total - plan.fee} isStrong />}
        </dl>
        {!isCard && balance !== null && balance < total && (
          <Notice kind="bad" title={t('yourWalletHoldsTooLittleFor')} className="mt-3">
            {t.rich('holds', { money: () => <MoneyAmount amount={balance} /> })}
          </Notice>
        )}
      </Card>
    </Section>
  )
}

function WhatCanHappen({ goal, isCard, isQuoted }: { goal: GoalBrief; isCard: boolean; isQuoted: boolean }) {
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
        {goal.revision_rounds > 0 && (
          <li>
            {t.rich('youRequestChanges', {
              strong: (chunks) => <strong className="text-ink">{chunks}</strong>,
              rounds: goal.revision_rounds,
            })}
          </li>
        )}
        <li>
          {t.rich('youSayNothingInTime', { outcome: goal.on_silence, strong: (chunks) => <strong className="text-ink">{chunks}</strong> })}
        </li>
        {isQuoted && <li>{t.rich('agentDropsOut', { strong: (chunks) => <strong className="text-ink">{chunks}</strong> })}</li>}
        {goal.contest && (
          <li>
            {t.rich('contestDecided', {
              strong: (chunks) => <strong className="text-ink">{chunks}</strong>,
              rule: goal.contest.check ? 'check' : goal.on_silence,
            })}
          </li>
        )}
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
