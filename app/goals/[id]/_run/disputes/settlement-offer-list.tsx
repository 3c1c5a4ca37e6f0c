'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMe } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { TxLink } from '../../../../_components/ui/copyable-identifier.tsx'
import { StateChip } from '../../../../_components/ui/state-chip.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { SigningTrouble, useTypedDataSigning } from '../../../../_wallet/use-typed-data-signing.tsx'
import { momentOf, percentOfBps } from './dispute-sentences.ts'

type Offer = inferRouterOutputs<AppRouter>['disputes']['getOfGoal']['offers'][number]
type Props = { offers: readonly Offer[]; run: Run; isClient: boolean; now: number | null }

/** The offers, newest first. The other party accepts with one signature. */
export function SettlementOfferList({ offers, run, isClient, now }: Props) {
  const t = useTranslations('run.settlementOfferList')
  return (
    <div>
      <h3 className="caption mb-2">{t('proposalsToSplit')}</h3>
      <ul className="grid gap-3">
        {offers.map((offer) => (
          <OfferEntry key={offer.id} offer={offer} run={run} isClient={isClient} now={now} />
        ))}
      </ul>
    </div>
  )
}

function OfferEntry({ offer, run, isClient, now }: Omit<Props, 'offers'> & { offer: Offer }) {
  const t = useTranslations('run.settlementOfferList')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const me = useMe()
  const signing = useTypedDataSigning()
  const step = run.steps.find((one) => one.step === offer.step)
  const isPayee = me !== null && step?.payee.toLowerCase() === me.address.toLowerCase()
  const isOther = offer.party === 'client' ? isPayee && !isClient : isClient
  const isOver = now !== null && offer.deadline * 1_000 <= now

  async function accept() {
    await signing.sign(
      () => api.disputes.getSettlementOfferTerms.query({ settlement_offer_id: offer.id as `ofr_${string}` }),
      (signature) => api.disputes.acceptSettlementOffer.mutate({ settlement_offer_id: offer.id as `ofr_${string}`, signature }),
    )
    await queries.invalidateQueries(trpc.disputes.getOfGoal.queryFilter({ goal_id: offer.goalId }))
  }

  return (
    <li className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="text-sm">
          {t.rich('proposesOfStepToPayee', {
            party: offer.party,
            strong: () => <strong>{percentOfBps(offer.payeeBps)}</strong>,
            step: offer.step,
          })}
        </span>
        <StateChip of="offer" state={offer.state} />
      </div>
      {offer.state === 'made' && (
        <p className="text-muted text-sm">
          {isOver ? `${t('ranOut')} ` : `${t('countsUntil')} `}
          <Time at={momentOf(offer.deadline)} isAbsolute />.
        </p>
      )}
      {offer.failure && <p className="text-muted text-sm">{offer.failure}</p>}
      {offer.tx && <p className="text-muted text-sm">{t.rich('carriedOutBy', { txLink: fillEmptyTag(<TxLink hash={offer.tx} />) })}</p>}
      <SigningTrouble error={signing.error} />
      {offer.state === 'made' && isOther && !isOver && (
        <div>
          <Button size="small" isBusy={signing.isBusy} onClick={() => void accept()}>
            {t('signAcceptOfStep', { share: percentOfBps(offer.payeeBps), step: offer.step })}
          </Button>
        </div>
      )}
    </li>
  )
}
