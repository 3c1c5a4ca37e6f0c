'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Select, Textarea } from '../../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import type { DraftStep } from './charter-draft-view.ts'

type Props = {
  goalId: string
  charterHash: string
  /** The refused step; null for a charter, of which `lines` can be chosen. */
  step: number | null
  lines: readonly DraftStep[]
  isOpen: boolean
  onClose: () => void
}

/** A refusal has a reason, which the planner uses. */
export function RefuseCharterDialog({ goalId, charterHash, step, lines, isOpen, onClose }: Props) {
  const t = useTranslations('run.refuseCharterDialog')
  const trpc = useTRPC()
  const [reason, setReason] = useState('')
  const [chosen, setChosen] = useState('')
  const refuse = useMutation(
    trpc.charters.refuse.mutationOptions({
      onSuccess: () => {
        setReason('')
        setChosen('')
        onClose()
      },
    }),
  )
  const which = step ?? (chosen === '' ? undefined : Number(chosen))
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title={step === null ? t('refuseCharter') : t('refuseStep', { step })}
      description={t('nothingLost')}
    >
      <div className="grid gap-4">
        {step === null && (
          <Field label={t('whatRefused')} hint={t('ofOneStepAgentNotAsked')}>
            <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="">{t('charterAsWhole')}</option>
              {lines.map((line) => (
                <option key={line.step} value={line.step}>
                  {t('step', { step: line.step, title: line.title })}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label={t('why')} hint={t('everybodyInRoomReadsPlannerGoes')}>
          <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={3} />
        </Field>
      </div>
      {refuse.error && <ProblemNotice error={refuse.error} money={t('noMoneyMoved')} className="mt-3" />}
      <DialogActions>
        <Button onClick={onClose}>{t('notNow')}</Button>
        <Button
          tone="danger"
          isBusy={refuse.isPending}
          disabled={reason.trim() === ''}
          onClick={() => refuse.mutate({ goal_id: goalId, charter_hash: charterHash, reason, ...(which !== undefined && { step: which }) })}
        >
          {t('refuse')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
