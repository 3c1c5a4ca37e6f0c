'use client'
import { useMutation } from '@tanstack/react-query'
import { OctagonX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import type { RunView } from '../run-view.ts'
import { stepStatus } from '../steps/step-status.ts'
import { StopAmounts } from './stop-amounts.tsx'

/** Without refused work, the end of the review is the acceptance of all of it, which has a button of its own. */
const hasRefusedWork = ({ goal, steps, tasks }: RunView): boolean =>
  goal.outcome === 'failed' || steps.some((step) => !['done', 'accepted'].includes(stepStatus(step, steps, tasks)))

/** Stops the goal. The dialog first shows the exact paid and refunded amounts. */
export function StopButton({ view, goalId }: { view: RunView; goalId: string }) {
  const t = useTranslations('run.stopButton')
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const cancel = useMutation(trpc.goals.cancel.mutationOptions({ onSuccess: () => setOpen(false) }))
  const { state } = view.goal
  if (state !== 'funding' && state !== 'open' && state !== 'underway' && state !== 'review') return null
  if (state === 'review' && !hasRefusedWork(view)) return null
  const isUnfunded = state === 'funding'
  // In review, stopping pays all that was not returned, so it is not called a refund.
  const stage = isUnfunded ? 'funding' : state === 'review' ? 'review' : 'work'
  const action = t(`action.${stage}`)
  return (
    <>
      <Button tone={stage === 'review' ? undefined : 'danger'} onClick={() => setOpen(true)}>
        {stage !== 'review' && <OctagonX aria-hidden />} {action}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t(`title.${stage}`)} description={t(`description.${stage}`)}>
        {!isUnfunded && <StopAmounts view={view} />}
        <Field label={t('why')} isOptional className="mt-4">
          <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={2} className="min-h-16" />
        </Field>
        {cancel.error && <ProblemNotice error={cancel.error} money={t('noMoneyMoved')} className="mt-3" />}
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{stage === 'review' ? t('keepReviewing') : t('keepRunning')}</Button>
          <Button
            tone={stage === 'review' ? 'primary' : 'danger'}
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate({ goal_id: goalId, reason: reason.trim() || t('clientStoppedGoal') })}
          >
            {action}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
