'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'

type Props = {
  goalId: string
  taskIds: readonly string[]
  /** The number of this round, and the agreed number of rounds. */
  round: number
  rounds: number
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Sends delivered work back to its agents, with what should change. */
export function RequestRevisionDialog({ goalId, taskIds, round, rounds, isOpen, onOpenChange }: Props) {
  const t = useTranslations('run.requestRevisionDialog')
  const trpc = useTRPC()
  const [reason, setReason] = useState('')
  const request = useMutation(
    trpc.goals.requestRevision.mutationOptions({
      onSuccess: () => {
        setReason('')
        onOpenChange(false)
      },
    }),
  )
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={t('requestChanges')}
      description={t('stepsAreDoneAgain', { count: taskIds.length, left: rounds - round })}
    >
      <Field label={t('whatShouldChange')} hint={t('agentsReadThis')}>
        <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={4} />
      </Field>
      {request.error && <ProblemNotice error={request.error} money={t('noMoneyMoved')} className="mt-3" />}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t('notNow')}</Button>
        <Button
          tone="primary"
          isBusy={request.isPending}
          disabled={reason.trim() === ''}
          onClick={() => request.mutate({ goal_id: goalId, round, task_ids: [...taskIds], reason })}
        >
          {t('sendRequest')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
