'use client'
import type { SilenceOutcome } from '@parley/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Select, Textarea } from '../../../../_components/ui/field.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { SigningTrouble, useTypedDataSigning } from '../../../../_wallet/use-typed-data-signing.tsx'
import { momentOf, silenceSentence } from './dispute-sentences.ts'

type Step = { readonly step: number; readonly title: string }
type Props = {
  goalId: string
  steps: readonly Step[]
  /** Unix seconds. */
  expiry: number
  /** The default outcome of the step without a ruling. */
  byDefault: SilenceOutcome
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Opens a dispute on a step: the step, the reason, and one signature. */
export function DisputeDialog({ goalId, steps, expiry, byDefault, isOpen, onOpenChange }: Props) {
  const t = useTranslations('run.disputeDialog')
  const tDispute = useTranslations('views.dispute')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const signing = useTypedDataSigning()
  const [chosen, setChosen] = useState<number | null>(null)
  const [evidence, setEvidence] = useState('')
  const step = steps.find((one) => one.step === chosen) ?? steps[0]

  async function dispute() {
    if (!step) return
    const statement = { goal_id: goalId, step: step.step, evidence: evidence.trim(), artifacts: [] }
    const isTaken = await signing.sign(
      () => api.disputes.getTerms.mutate(statement),
      (signature) => api.disputes.open.mutate({ ...statement, signature }),
    )
    if (!isTaken) return
    setEvidence('')
    onOpenChange(false)
    await queries.invalidateQueries(trpc.disputes.getOfGoal.queryFilter({ goal_id: goalId }))
  }

  return (
    <Dialog
      // The wallet's dialog replaces this one meanwhile.
      isOpen={isOpen && !signing.isAsking}
      onOpenChange={onOpenChange}
      title={t('disputeStep')}
      description={t('moneyStaysInEscrowUntilOperator')}
    >
      <div className="grid gap-4">
        <Field label={t('step')}>
          <Select value={step?.step} onChange={(event) => setChosen(Number(event.target.value))}>
            {steps.map((one) => (
              <option key={one.step} value={one.step}>
                {one.step}. {one.title}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('evidence')} hint={t('whatAgreedWhatWrong')}>
          <Textarea value={evidence} onChange={(event) => setEvidence(event.target.value)} maxLength={4_000} rows={5} />
        </Field>
        <p className="text-sm">
          {t.rich('timeForRulingUntil', {
            time: () => <Time at={momentOf(expiry)} isAbsolute className="font-semibold" />,
            onSilence: silenceSentence(byDefault, tDispute),
          })}
        </p>
        <SigningTrouble error={signing.error} />
      </div>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t('notNow')}</Button>
        <Button tone="danger" isBusy={signing.isBusy} disabled={!step || evidence.trim() === ''} onClick={() => void dispute()}>
          {t('signDispute')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
