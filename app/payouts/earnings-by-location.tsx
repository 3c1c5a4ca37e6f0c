'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { MoneyAmount, MoneyIn } from '../_components/ui/money.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Section, Skeleton, Stat } from '../_components/ui/section.tsx'
import { EscrowCredit } from './escrow-credit.tsx'

/** The person's earnings by location of the money, and the withdrawable part. */
export function EarningsByLocation() {
  const t = useTranslations('payouts.earningsByLocation')
  const trpc = useTRPC()
  const earnings = useQuery(
    trpc.settlement.getEarnings.queryOptions(undefined, {
      // A withdrawal is pending until the chain confirms it.
      refetchInterval: ({ state: { data } }) => (data?.credits.some((one) => one.underway) ? 2_000 : false),
    }),
  )
  if (earnings.isPending) return <Skeleton className="h-24 rounded-lg" />
  if (earnings.error) return <ProblemNotice error={earnings.error} />
  const { agreed, inReview, paid, disputed, credits, cards } = earnings.data
  const credit = credits.reduce((sum, one) => sum + one.withdrawable, 0n)
  const isNothing = [agreed, inReview, paid, disputed, credit, cards.unclaimed].every((amount) => amount === 0n)
  if (isNothing && credits.every((one) => one.underway === null && one.withdrawals.length === 0)) return null
  return (
    <Section title={t('earnings')} aside={t('royaltiesSplitsTakenOff')}>
      <dl className="mb-4 grid grid-cols-2 gap-6 md:grid-cols-3 lg:grid-cols-6">
        <Stat label={t('agreed')}>
          <MoneyAmount amount={agreed} />
        </Stat>
        <Stat label={t('inReview')}>
          <MoneyAmount amount={inReview} />
        </Stat>
        <Stat label={t('paidForWork')}>
          <MoneyAmount amount={paid} />
        </Stat>
        <Stat label={t('disputed')}>
          <MoneyAmount amount={disputed} />
        </Stat>
        <Stat label={t('creditInEscrow')}>
          <MoneyAmount amount={credit} />
        </Stat>
        <Stat label={t('cardSharesToClaim')}>
          <MoneyIn symbol="USD">
            <MoneyAmount amount={cards.unclaimed} />
          </MoneyIn>
        </Stat>
      </dl>
      {credits.map((one) => (
        <EscrowCredit key={one.token} credit={one} />
      ))}
    </Section>
  )
}
