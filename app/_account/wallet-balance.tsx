'use client'
import { formatAmount } from '@parley/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useMarket } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { TxLink } from '../_components/ui/copyable-identifier.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Skeleton, Stat } from '../_components/ui/section.tsx'
import { useTRPC } from '../_trpc/client.tsx'

/** The balance of the wallet on the market's chain, and test money on a test chain. */
export function WalletBalance() {
  const t = useTranslations('account.walletBalance')
  const { isLocalChain } = useMarket()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const balance = useQuery(trpc.market.getBalance.queryOptions(undefined, { refetchInterval: 10_000 }))
  const gift = useMutation(
    trpc.market.faucet.mutationOptions({ onSettled: () => queries.invalidateQueries({ queryKey: trpc.market.getBalance.queryKey() }) }),
  )
  return (
    <Card className="grid gap-5">
      {balance.error ? (
        <ProblemNotice error={balance.error} money={t('yourMoneyWhere')} />
      ) : balance.data ? (
        <dl className="grid grid-cols-2 gap-6" aria-live="polite">
          <Stat label={t('toSpend')}>
            <MoneyAmount amount={balance.data.tokens} />
          </Stat>
          <Stat label={t('forTransactionsOfYourOwn')}>
            <span className="figures">{formatAmount(BigInt(balance.data.ether), 18).slice(0, 8)}</span>
            <span className="ml-1 text-[0.85em] text-muted">{t('eth')}</span>
          </Stat>
        </dl>
      ) : (
        <Skeleton className="h-12" />
      )}
      {isLocalChain && (
        <div className="grid gap-3 border-t pt-4">
          <p className="text-muted text-sm">{t('testMoneyHasNoValue')}</p>
          <Button className="justify-self-start" isBusy={gift.isPending} onClick={() => gift.mutate()}>
            <FlaskConical aria-hidden />
            {t('getTestMoney')}
          </Button>
          {gift.data && (
            <p role="status" className="text-sm">
              {t.rich('todaysCameWithTransaction', {
                money: () => <MoneyAmount amount={gift.data.amount} />,
                txLink: () => <TxLink hash={gift.data.tx} />,
              })}
            </p>
          )}
          {gift.error && <ProblemNotice error={gift.error} />}
        </div>
      )}
    </Card>
  )
}
