'use client'
import { findFundingMismatch } from '@parley/protocol'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../_components/market-provider.tsx'
import { Button, ButtonLink } from '../../_components/ui/button.tsx'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, Section } from '../../_components/ui/section.tsx'
import { useWallet } from '../../_wallet/wallet-provider.tsx'
import { takeFundingRequest } from './funding-on-arrival.ts'
import { FundingProgress } from './funding-progress.tsx'
import { StepsApprovedByFunding } from './steps-approved-by-funding.tsx'

type Props = { goalId: string; total: bigint; isSigned: boolean; failure: string | null }

/** Funding by wallet, with one signature. The wallet sends no transaction; the server submits the signed data. */
export function FundByWalletPanel({ goalId, total, isSigned, failure }: Props) {
  const t = useTranslations('run.fundByWalletPanel')
  const market = useMarket()
  const { funding, authorize, refusal, isDone, isShort, sign } = useWalletFunding({ goalId, total, isSigned, failure })
  const steps = [
    { label: t('posted'), isDone: true },
    { label: t('signedByYou'), isDone },
    { label: t('confirmedOnChain'), isDone: false },
    { label: t('openToPlanners'), isDone: false },
  ]

  return (
    <Section title={t('setMoneyAside')}>
      <Card className="border-amber">
        <FundingProgress steps={steps} isUnderway={isDone} />
        {failure && !isDone && (
          <Notice kind="bad" title={t('fundingFailed', { failure })} className="mb-3">
            {t('noMoneyMovedSignAgain')}
          </Notice>
        )}
        {isDone ? (
          <p role="status" className="text-muted">
            {t('yourSignatureOnWayToChain')}
          </p>
        ) : (
          <>
            <p>{t.rich('yourWalletSignsOnceGoTo', { money: () => <MoneyAmount amount={total} className="font-semibold" /> })}</p>
            {funding.data?.charter && <StepsApprovedByFunding charter={funding.data.charter} />}
            {isShort && funding.data && (
              <Notice kind="warning" title={t('yourWalletHoldsTooLittle')} className="mt-3">
                {t.rich('holds', {
                  money: () => <MoneyAmount amount={funding.data.balance} />,
                  chain: market.isLocalChain ? 'local' : 'other',
                })}
              </Notice>
            )}
            {funding.error && <ProblemNotice error={funding.error} money={t('noMoneyMoved')} className="mt-3" />}
            {authorize.error && <ProblemNotice error={authorize.error} money={t('noMoneyMoved')} className="mt-3" />}
            {refusal && (
              <Notice kind="warning" title={refusal} className="mt-3">
                {t('noMoneyMovedSignLater')}
              </Notice>
            )}
            <div className="mt-4 flex flex-wrap gap-2">
              <Button tone="primary" isBusy={authorize.isPending} disabled={!funding.data || isShort} onClick={() => void sign()}>
                <Wallet aria-hidden /> {t('signFund')}
              </Button>
              {isShort && <ButtonLink href="/account">{t('goToMyAccount')}</ButtonLink>}
            </div>
          </>
        )}
      </Card>
    </Section>
  )
}

/** The terms of the payment, and their signature. A client that comes from posting is asked for it at once. */
function useWalletFunding({ goalId, total, isSigned, failure }: Props) {
  const t = useTranslations('run.fundByWalletPanel')
  const trpc = useTRPC()
  const market = useMarket()
  const wallet = useWallet()
  const [refusal, setRefusal] = useState<string | null>(null)
  const funding = useQuery(
    trpc.settlement.getFunding.queryOptions(
      { goal_id: goalId },
      // A wallet that holds too little may be about to receive money.
      { enabled: !isSigned, refetchInterval: ({ state }) => (state.data && state.data.balance < total ? 3_000 : 30_000) },
    ),
  )
  const authorize = useMutation(trpc.settlement.authorize.mutationOptions())
  const isDone = isSigned || (authorize.isSuccess && failure === null)
  const isShort = funding.data !== undefined && funding.data.balance < total
  // The client has pressed the button that posts and signs.
  const signOnArrival = useEffectEvent(() => {
    if (takeFundingRequest(goalId)) void sign()
  })
  const canSign = funding.data !== undefined && !isShort && !isDone
  useEffect(() => {
    if (canSign) signOnArrival()
  }, [canSign])

  async function sign() {
    if (!funding.data) return
    takeFundingRequest(goalId)
    setRefusal(null)
    authorize.reset()
    try {
      const fault = await findFundingMismatch(funding.data, market)
      if (fault !== null) throw new Error(t(fault === 'team' ? 'otherTeam' : 'otherPayment'))
      const signature = await wallet.signTypedData(funding.data.typedData)
      await authorize.mutateAsync({ goal_id: goalId, signature })
    } catch (error) {
      // A server error is shown with its code, a wallet error as the wallet's text.
      if (!(error instanceof Error && 'data' in error)) setRefusal(error instanceof Error ? error.message : t('walletDidNotAnswer'))
    }
  }
  return { funding, authorize, refusal, isDone, isShort, sign }
}
