'use client'
import { useMutation } from '@tanstack/react-query'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../_components/ui/field.tsx'
import { Money } from '../../../_components/ui/money.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { acceptanceOf } from '../../../_views/budget.ts'
import type { RunView } from '../../../_views/run.ts'

/** Ends the goal. The dialog says to the unit what is paid and what goes back before anything happens. */
export function StopButton({ view, goalId }: { view: RunView; goalId: string }) {
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const cancel = useMutation(trpc.goals.cancel.mutationOptions({ onSuccess: () => setOpen(false) }))
  const { state } = view.goal
  if (state !== 'funding' && state !== 'open' && state !== 'underway' && state !== 'review') return null
  const { pays, stays, returns } = acceptanceOf(view)
  const isUnfunded = state === 'funding'
  const isReview = state === 'review'
  return (
    <>
      <Button tone="danger" onClick={() => setOpen(true)}>
        <OctagonX aria-hidden /> {isUnfunded ? 'Discard' : 'Stop and refund'}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={isUnfunded ? 'Discard this goal?' : 'Stop this goal?'}
        description={
          isUnfunded
            ? 'No money has moved, and none will.'
            : isReview
              ? 'This ends the review. Finished work that you have not returned is paid. The rest comes back to you; what you returned, once its time to be disputed is over.'
              : 'Work that is finished is paid. Everything else comes back to you, in one transaction.'
        }
      >
        {!isUnfunded && (
          <dl className="grid gap-2">
            <div className="flex justify-between gap-4">
              <dt>Paid for finished steps, fee included</dt>
              <dd>
                <Money amount={pays} />
              </dd>
            </div>
            {stays > 0n && (
              <div className="flex justify-between gap-4">
                <dt>Stays where it is, for what is disputed</dt>
                <dd>
                  <Money amount={stays} />
                </dd>
              </div>
            )}
            <div className="rule-double flex justify-between gap-4 pb-2 font-semibold">
              <dt>Comes back to you</dt>
              <dd>
                <Money amount={returns} />
              </dd>
            </div>
          </dl>
        )}
        <Field label="Why" isOptional className="mt-4">
          <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={2} className="min-h-16" />
        </Field>
        {cancel.error && <ProblemNotice error={cancel.error} money="No money moved." className="mt-3" />}
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{isReview ? 'Keep reviewing' : 'Keep it running'}</Button>
          <Button
            tone="danger"
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate({ goal_id: goalId, reason: reason.trim() || 'The client stopped the goal.' })}
          >
            {isUnfunded ? 'Discard' : 'Stop and refund'}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
