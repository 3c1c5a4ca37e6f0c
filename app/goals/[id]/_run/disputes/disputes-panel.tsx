'use client'
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMarket, useMe } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { ReclaimNotice } from '../budget/reclaim-notice.tsx'
import type { People } from '../to-run-view.ts'
import { DisputeDetails } from './dispute-details.tsx'
import { DisputeDialog } from './dispute-dialog.tsx'
import { defaultOf, momentOf } from './dispute-sentences.ts'
import { SettlementOfferForm } from './settlement-offer-form.tsx'
import { SettlementOfferList } from './settlement-offer-list.tsx'

type Props = { run: Run; people: People; isClient: boolean }

/** States of a step's share in which its money is in the escrow. */
const stillHeld: readonly string[] = ['sealed', 'paying', 'disputed']
const underway = ['signed', 'ruling', 'accepting']

/** Disputes of a goal in the escrow with their deadlines, offers to split, and the refund at the end. */
export function DisputesPanel({ run, people, isClient }: Props) {
  const t = useTranslations('run.disputesPanel')
  const trpc = useTRPC()
  const me = useMe()
  const { hasOperators } = useMarket()
  const [isDisputing, setDisputing] = useState(false)
  const now = useNow()
  const goal_id = run.goal.id
  const found = useQuery(
    trpc.disputes.getOfGoal.queryOptions(
      { goal_id },
      {
        // The chain's answer changes the goal only if the chain accepted it; a rejection is read here.
        refetchInterval: ({ state: { data } }) =>
          [...(data?.disputes ?? []), ...(data?.offers ?? [])].some((one) => underway.includes(one.state)) ? 3_000 : false,
      },
    ),
  )
  if (found.error) return <ProblemNotice error={found.error} />
  if (!found.data) return null
  const { disputes, offers, reviewBy, disputeBy, expiry, onSilence, canDispute } = found.data
  const { hold } = run
  const isHeld = hold.fundedTx !== null && hold.settledTx === null
  const isExpired = isHeld && now !== null && now >= expiry * 1_000
  const own = run.steps.filter((step) => me !== null && (isClient || step.payee.toLowerCase() === me.address.toLowerCase()))
  const isOpen = ({ step }: Run['steps'][number]) => run.payouts.some((one) => one.step === step && stillHeld.includes(one.state))
  const disputable = own.filter((step) => isOpen(step) && !disputes.some((one) => one.step === step.step && one.state !== 'refused'))
  const offerable = isHeld && !isExpired ? own.filter(isOpen) : []
  const mayDispute = canDispute && disputable.length > 0 && hasOperators
  if (disputes.length === 0 && offers.length === 0 && !mayDispute && offerable.length === 0 && !isExpired) return null
  return (
    <Section
      title={t('disputes')}
      aside={mayDispute && <>{t.rich('canOpenedUntil', { time: () => <Time at={momentOf(disputeBy ?? reviewBy)} isAbsolute /> })}</>}
    >
      <Card className="grid gap-4">
        {disputes.length === 0 ? (
          <p className="text-muted">{t('noStepDisputed')}</p>
        ) : (
          <ul className="grid gap-4">
            {disputes.map((dispute) => (
              <DisputeDetails key={dispute.id} dispute={dispute} run={run} people={people} clock={found.data} />
            ))}
          </ul>
        )}
        {offers.length > 0 && <SettlementOfferList offers={offers} run={run} isClient={isClient} now={now} />}
        {isExpired && <ReclaimNotice goalId={goal_id} />}
        {canDispute && disputable.length > 0 && !hasOperators && <p className="text-muted text-sm">{t('marketHasNoOperatorSoNobody')}</p>}
        {mayDispute && (
          <div>
            <Button tone="danger" onClick={() => setDisputing(true)}>
              <Scale aria-hidden /> {t('disputeStep')}
            </Button>
          </div>
        )}
        {offerable.length > 0 && <SettlementOfferForm goalId={goal_id} steps={offerable} expiry={expiry} isClient={isClient} />}
      </Card>
      <DisputeDialog
        goalId={goal_id}
        steps={disputable}
        expiry={expiry}
        byDefault={defaultOf(onSilence, isClient)}
        isOpen={isDisputing && mayDispute}
        onOpenChange={setDisputing}
      />
    </Section>
  )
}

/** Milliseconds; null before hydration, so that both sides render the same. */
function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
