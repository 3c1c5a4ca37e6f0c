'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useEffectEvent } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, Section, Skeleton } from '../../_components/ui/section.tsx'
import { takeFundingRequest } from './funding-on-arrival.ts'
import { FundingProgress } from './funding-progress.tsx'

type Props = { goalId: string; total: bigint; failure: string | null }

/** Funding by card, on Stripe's checkout page. Until Stripe confirms it, the payment is shown as unknown. */
export function FundByCardPanel({ goalId, total, failure }: Props) {
  const t = useTranslations('run.fundByCardPanel')
  const trpc = useTRPC()
  const card = useQuery(trpc.goals.getCardPaymentStatus.queryOptions({ goal_id: goalId }, { refetchInterval: 3_000 }))
  const fund = useMutation(trpc.goals.fundByCard.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }))
  const page = card.data?.checkout?.state
  const isPaid = page === 'paid'
  const isRead = card.data !== undefined
  // The client has pressed the button that posts and pays.
  const payOnArrival = useEffectEvent(() => {
    if (takeFundingRequest(goalId)) fund.mutate({ goal_id: goalId })
  })
  useEffect(() => {
    if (isRead && !isPaid) payOnArrival()
  }, [isRead, isPaid])
  return (
    <Section title={t('payByCard')}>
      <Card className="border-amber">
        <FundingProgress
          isUnderway={page === 'open' || isPaid}
          steps={[
            { label: t('posted'), isDone: true },
            { label: t('paidByYou'), isDone: isPaid },
            { label: t('confirmedByStripe'), isDone: false },
            { label: t('openToPlanners'), isDone: false },
          ]}
        />
        {card.isPending && <Skeleton className="h-16 rounded-lg" />}
        {card.error && <ProblemNotice error={card.error} className="mb-3" />}
        {failure && (
          <Notice kind="bad" title={t('paymentDidNotGoThrough', { failure })} className="mb-3">
            {t('nothingChargedTwice')}
          </Notice>
        )}
        {page === 'ended' && !failure && (
          <Notice kind="warning" title={t('paymentPageHasEndedWithoutPayment')} className="mb-3">
            {t('nothingChargedOpenAnother')}
          </Notice>
        )}
        {isPaid ? (
          <p role="status" className="text-muted">
            {t('yourPaymentBeingConfirmed')}
          </p>
        ) : (
          <>
            <p>
              {t.rich('chargedToYourCard', {
                sum: () => <MoneyAmount amount={total + (card.data?.processingFee ?? 0n)} className="font-semibold" />,
                budget: () => <MoneyAmount amount={total} />,
                fee: () => <MoneyAmount amount={card.data?.processingFee ?? 0n} />,
              })}
            </p>
            {page === 'open' && (
              <p role="status" className="mt-2 text-muted">
                {t('paymentPageOpen')}
              </p>
            )}
            {card.data?.isDemo && <p className="mt-2 text-muted text-sm">{t('testPaymentWithoutStripe')}</p>}
            {fund.error && <ProblemNotice error={fund.error} money={t('nothingWasCharged')} className="mt-3" />}
            <Button
              tone="primary"
              className="mt-4"
              isBusy={fund.isPending || fund.isSuccess}
              onClick={() => fund.mutate({ goal_id: goalId })}
            >
              <CreditCard aria-hidden /> {page === 'open' ? t('goToPaymentPage') : t('payByCard')}
            </Button>
          </>
        )}
      </Card>
    </Section>
  )
}
