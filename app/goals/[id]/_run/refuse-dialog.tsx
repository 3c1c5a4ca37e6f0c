'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../_components/ui/dialog.tsx'
import { Field, Select, Textarea } from '../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import type { DraftStep } from '../../../_views/draft.ts'

type Props = {
  goalId: string
  charterHash: string
  /** The step that is refused; null for a charter, of which `lines` can be chosen. */
  step: number | null
  lines: readonly DraftStep[]
  isOpen: boolean
  onClose: () => void
}

/** A refusal has a reason: the planner goes by it. */
export function RefuseDialog({ goalId, charterHash, step, lines, isOpen, onClose }: Props) {
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
      title={step === null ? 'Refuse this charter?' : `Refuse step ${step}?`}
      description="Nothing is lost: the planner makes another one, and asks you again."
    >
      <div className="grid gap-4">
        {step === null && (
          <Field label="What is refused" hint="Of one step, its agent is not asked again.">
            <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="">The charter as a whole</option>
              {lines.map((line) => (
                <option key={line.step} value={line.step}>
                  {`Step ${line.step}, ${line.title}`}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Why" hint="Everybody in the room reads this, and the planner goes by it.">
          <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={3} />
        </Field>
      </div>
      {refuse.error && <ProblemNotice error={refuse.error} money="No money moved." className="mt-3" />}
      <DialogActions>
        <Button onClick={onClose}>Not now</Button>
        <Button
          tone="danger"
          isBusy={refuse.isPending}
          disabled={reason.trim() === ''}
          onClick={() => refuse.mutate({ goal_id: goalId, charter_hash: charterHash, reason, ...(which !== undefined && { step: which }) })}
        >
          Refuse
        </Button>
      </DialogActions>
    </Dialog>
  )
}
