'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { Card, Section, Skeleton } from '../../_components/ui/card.tsx'
import { Money } from '../../_components/ui/money.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { FundSteps } from './fund-steps.tsx'

type Props = { goalId: string; total: bigint; failure: string | null }

/** From posted to open, by card: the payment page is Stripe's. Until Stripe has told us, the payment counts as unknown, and is shown so. */
export function CardPanel({ goalId, total, failure }: Props) {
  const trpc = useTRPC()
  const card = useQuery(trpc.goals.getCardState.queryOptions({ goal_id: goalId }, { refetchInterval: 3_000 }))
  const fund = useMutation(trpc.goals.fundByCard.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }))
  const page = card.data?.checkout?.state
  const isPaid = page === 'paid'
  return (
    <Section title="Pay by card">
      <Card className="border-amber">
        <FundSteps
          isUnderway={page === 'open' || isPaid}
          steps={[
            { label: 'Posted', isDone: true },
            { label: 'Paid by you', isDone: isPaid },
            { label: 'Confirmed by Stripe', isDone: false },
            { label: 'Open to planners', isDone: false },
          ]}
        />
        {card.isPending && <Skeleton className="h-16 rounded-lg" />}
        {card.error && <ProblemNotice error={card.error} className="mb-3" />}
        {failure && (
          <Notice kind="bad" title={`The payment did not go through: ${failure}`} className="mb-3">
            Nothing is charged twice: you can try again.
          </Notice>
        )}
        {page === 'ended' && !failure && (
          <Notice kind="warning" title="The payment page has ended without a payment." className="mb-3">
            Nothing was charged. You can open a new one.
          </Notice>
        )}
        {isPaid ? (
          <p role="status" className="text-muted">
            Your payment is being confirmed. This takes a few seconds, and you may leave this page.
          </p>
        ) : (
          <>
            <p>
              <Money amount={total + (card.data?.processingFee ?? 0n)} className="font-semibold" /> are charged to your card:{' '}
              <Money amount={total} /> for the goal and <Money amount={card.data?.processingFee ?? 0n} /> for the card processing, which is
              not refunded. What the goal does not need goes back to the same card.
            </p>
            {page === 'open' && (
              <p role="status" className="mt-2 text-muted">
                A payment page is open. If you have paid there, nothing more is needed: we wait for Stripe’s word.
              </p>
            )}
            {card.data?.isDemo && (
              <p className="mt-2 text-muted text-sm">A stand-in for Stripe answers on this machine. No card is charged.</p>
            )}
            {fund.error && <ProblemNotice error={fund.error} money="Nothing was charged." className="mt-3" />}
            <Button
              tone="primary"
              className="mt-4"
              isBusy={fund.isPending || fund.isSuccess}
              onClick={() => fund.mutate({ goal_id: goalId })}
            >
              <CreditCard aria-hidden /> {page === 'open' ? 'Go to the payment page' : 'Pay by card'}
            </Button>
          </>
        )}
      </Card>
    </Section>
  )
}
