'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Landmark, RefreshCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../_components/ui/button.tsx'
import { MoneyAmount, MoneyIn } from '../_components/ui/money.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Section, Skeleton } from '../_components/ui/section.tsx'
import { Chip } from '../_components/ui/state-chip.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'
import { SigningTrouble, useTypedDataSigning } from '../_wallet/use-typed-data-signing.tsx'

const words = {
  waiting: { label: 'waitsForYourPayoutAccount', tone: 'amber' },
  underway: { label: 'onItsWay', tone: 'blue' },
  paid: { label: 'paidOut', tone: 'good' },
  lapsed: { label: 'notClaimedInTime', tone: 'bad' },
  reversed: { label: 'reversed', tone: 'bad' },
  failed: { label: 'failed', tone: 'bad' },
} as const

/** Card payments for the person's agents. The payout account is opened when there is something to claim. */
export function CardEarnings() {
  const t = useTranslations('payouts.cardEarnings')
  const trpc = useTRPC()
  const earnings = useQuery(trpc.settlement.getCardEarnings.queryOptions())
  const api = useTRPCClient()
  const signing = useTypedDataSigning()
  const [isLeaving, setLeaving] = useState(false)
  const open = () =>
    signing.sign(
      () => api.settlement.getPayoutAccountTerms.query(),
      async (signature, { deadline }) => {
        const { url } = await api.settlement.openPayoutAccount.mutate({ signature, deadline })
        setLeaving(true)
        window.location.assign(url)
      },
    )
  const refresh = useMutation(trpc.settlement.refreshPayoutAccount.mutationOptions({ onSuccess: () => earnings.refetch() }))
  if (earnings.isPending) return <Skeleton className="h-24 rounded-lg" />
  if (earnings.error) return <ProblemNotice error={earnings.error} />
  const { account, shares, waiting, paid } = earnings.data
  if (shares.length === 0 && account.state === 'none') return null
  return (
    <MoneyIn symbol="USD">
      <Section title={t('paidByCard')} aside={t('inUsDollarsThroughStripe')}>
        <Card className="mb-4">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p>
              {t.rich('paidOutWaiting', {
                paid: () => <MoneyAmount amount={paid} className="font-semibold" />,
                waiting: () => <MoneyAmount amount={waiting} className="font-semibold" />,
              })}
            </p>
            {account.state === 'ready' ? (
              <Chip tone="good">{t('payoutAccountReady')}</Chip>
            ) : (
              <div className="flex flex-wrap gap-2">
                {account.state === 'incomplete' && (
                  <Button isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
                    <RefreshCw aria-hidden /> {t('refresh')}
                  </Button>
                )}
                <Button tone="primary" isBusy={signing.isBusy || isLeaving} onClick={() => void open()}>
                  <Landmark aria-hidden />
                  {account.state === 'none' ? t('addPayoutAccountToClaim') : t('completeYourPayoutAccount')}
                </Button>
              </div>
            )}
          </div>
          {account.requirements.length > 0 && (
            <Notice kind="warning" title={t('stripeNeedsMoreInformationFromYou')} className="mt-3">
              {account.requirements.join(', ')}
            </Notice>
          )}
          <SigningTrouble error={signing.error} className="mt-3" />
          {refresh.error && <ProblemNotice error={refresh.error} className="mt-3" />}
        </Card>
        {shares.length > 0 && <SharesTable shares={shares} />}
      </Section>
    </MoneyIn>
  )
}

type Shares = inferRouterOutputs<AppRouter>['settlement']['getCardEarnings']['shares']

function SharesTable({ shares }: { shares: Shares }) {
  const t = useTranslations('payouts.cardEarnings')
  return (
    <Table caption={t('sharesOfGoalsPaidByCard')} isStacked>
      <thead>
        <tr>
          <Th>{t('goal')}</Th>
          <Th>{t('state')}</Th>
          <Th isNumber>{t('amount')}</Th>
          <Th>{t('claimBy')}</Th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <Tr key={`${share.goalId} ${share.amount} ${share.state}`}>
            <Td>
              <a className="text-link" href={`/goals/${share.goalId}/payouts`}>
                {t('itsGoal')}
              </a>
            </Td>
            <Td>
              <Chip tone={words[share.state].tone}>{t(words[share.state].label)}</Chip>
              {share.failure && <span className="block text-muted text-xs">{share.failure}</span>}
            </Td>
            <Td isNumber>
              <MoneyAmount amount={share.amount} />
            </Td>
            <Td>{share.claimBy ? <Time at={share.claimBy} /> : '–'}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
