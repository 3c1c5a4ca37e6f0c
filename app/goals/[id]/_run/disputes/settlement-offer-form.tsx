'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Field, Select } from '../../../../_components/ui/field.tsx'
import { PercentField } from '../../../../_components/ui/percent-field.tsx'
import { SigningTrouble, useTypedDataSigning } from '../../../../_wallet/use-typed-data-signing.tsx'

type Step = { readonly step: number; readonly title: string }
type Props = { goalId: string; steps: readonly Step[]; expiry: number; isClient: boolean }

const spans = [
  [3_600, 'oneHour'],
  [86_400, 'oneDay'],
  [259_200, 'threeDays'],
] as const

/** Proposes to split a step. The signature is valid until its deadline, at most until the end of the plan. */
export function SettlementOfferForm({ goalId, steps, expiry, isClient }: Props) {
  const t = useTranslations('run.settlementOfferForm')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const signing = useTypedDataSigning()
  const [chosen, setChosen] = useState<number | null>(null)
  const [percent, setPercent] = useState(50)
  const [span, setSpan] = useState(86_400)
  const step = steps.find((one) => one.step === chosen) ?? steps[0]
  const isGift = percent === (isClient ? 100 : 0)

  async function propose() {
    if (!step) return
    const deadline = Math.min(Math.floor(Date.now() / 1_000) + span, expiry)
    const offer = { goal_id: goalId, step: step.step, payee_bps: Math.round(percent * 100), deadline }
    await signing.sign(
      () => api.disputes.getSettlementOfferTerms.query(offer),
      (signature) => api.disputes.makeSettlementOffer.mutate({ ...offer, signature }),
    )
    await queries.invalidateQueries(trpc.disputes.getOfGoal.queryFilter({ goal_id: goalId }))
  }

  return (
    <details className="border-t pt-3">
      <summary className="min-h-11 cursor-pointer py-2 font-medium md:min-h-9">{t('proposeSplit')}</summary>
      <form
        className="mt-2 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void propose()
        }}
      >
        <div className="grid gap-4 md:grid-cols-2">
          <Field label={t('stepToSplit')}>
            <Select value={step?.step} onChange={(event) => setChosen(Number(event.target.value))}>
              {steps.map((one) => (
                <option key={one.step} value={one.step}>
                  {one.step}. {one.title}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('countsFor')} hint={t('neverLongerThanPlanItself')}>
            <Select value={span} onChange={(event) => setSpan(Number(event.target.value))}>
              {spans.map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {t(words)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <PercentField label={t('toPayee')} hint={t('restGoesBackToClient')} value={percent} onChange={setPercent} />
        <p className="text-sm">{isGift ? t('givesOtherSideEverythingSoNeeds') : t('nothingMovesUntilOtherSideSigns')}</p>
        <SigningTrouble error={signing.error} />
        <div>
          <Button type="submit" isBusy={signing.isBusy}>
            {t('signPropose')}
          </Button>
        </div>
      </form>
    </details>
  )
}
