import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../../_components/ui/field.tsx'

/** A veto may have a reason, which the transcript keeps. */
export function VetoTeamDialog({ isOpen, onClose, onVeto }: { isOpen: boolean; onClose: () => void; onVeto: (reason: string) => void }) {
  const t = useTranslations('run.vetoTeamDialog')
  const [reason, setReason] = useState('')
  return (
    <Dialog isOpen={isOpen} onOpenChange={(open) => !open && onClose()} title={t('vetoTeam')} description={t('nobodyPaidUnderCharter')}>
      <Field label={t('reason')} isOptional hint={t('transcriptShowsPlannerReads')}>
        <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1000} rows={3} />
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button tone="danger" onClick={() => onVeto(reason.trim())}>
          {t('veto')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
