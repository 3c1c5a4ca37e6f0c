'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'

type Props = { goalId: string; taskIds: readonly string[]; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** Refuses finished steps. They are not paid. */
export function ReturnStepsDialog({ goalId, taskIds, isOpen, onOpenChange }: Props) {
  const t = useTranslations('run.returnStepsDialog')
  const trpc = useTRPC()
  const [reason, setReason] = useState('')
  const give = useMutation(trpc.tasks.return.mutationOptions({ onSuccess: () => onOpenChange(false) }))
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={t('returnSteps', { count: taskIds.length })}
      description={t('nobodyPaidForThem', { count: taskIds.length })}
    >
      <Field label={t('whatWrongWith')} hint={t('everybodyInRoomReads')}>
        <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={3} />
      </Field>
      {give.error && <ProblemNotice error={give.error} money={t('noMoneyMoved')} className="mt-3" />}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t('notNow')}</Button>
        <Button
          tone="danger"
          isBusy={give.isPending}
          disabled={reason.trim() === ''}
          onClick={() => give.mutate({ goal_id: goalId, task_ids: [...taskIds], reason })}
        >
          {t('return')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
