import { useState } from 'react'
import { Button } from '../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../_components/ui/field.tsx'

/** A veto may have a reason, which the transcript keeps. */
export function VetoDialog({ isOpen, onClose, onVeto }: { isOpen: boolean; onClose: () => void; onVeto: (reason: string) => void }) {
  const [reason, setReason] = useState('')
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title="Veto this team?"
      description="Nobody is paid under this charter. The planner may propose another."
    >
      <Field label="Reason" isOptional hint="The transcript shows it, and the planner reads it.">
        <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={3} />
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button tone="danger" onClick={() => onVeto(reason.trim())}>
          Veto
        </Button>
      </DialogActions>
    </Dialog>
  )
}
