'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'

type Props = { goalId: string; taskIds: readonly string[]; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** Refuses finished steps: nobody is paid for them. */
export function ReturnDialog({ goalId, taskIds, isOpen, onOpenChange }: Props) {
  const trpc = useTRPC()
  const [reason, setReason] = useState('')
  const give = useMutation(trpc.tasks.return.mutationOptions({ onSuccess: () => onOpenChange(false) }))
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Return ${taskIds.length === 1 ? 'a step' : `${taskIds.length} steps`}?`}
      description={`Nobody is paid for ${taskIds.length === 1 ? 'it' : 'them'}: once every step has your word, that share goes back to you, unless it is disputed first. This is final.`}
    >
      <Field label="What is wrong with it" hint="Everybody in the room reads this.">
        <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={3} />
      </Field>
      {give.error && <ProblemNotice error={give.error} money="No money moved." className="mt-3" />}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Not now</Button>
        <Button
          tone="danger"
          isBusy={give.isPending}
          disabled={reason.trim() === ''}
          onClick={() => give.mutate({ goal_id: goalId, task_ids: [...taskIds], reason })}
        >
          Return
        </Button>
      </DialogActions>
    </Dialog>
  )
}
