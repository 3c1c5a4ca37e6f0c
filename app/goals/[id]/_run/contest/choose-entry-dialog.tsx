'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Textarea } from '../../../../_components/ui/field.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'

type Props = {
  entry: { readonly name: string; readonly price: bigint }
  isOpen: boolean
  onClose: () => void
  onChoose: (reason: string) => void
}

/** What the choice means, and what the other agents receive. */
export function ChooseEntryDialog({ entry, isOpen, onClose, onChoose }: Props) {
  const t = useTranslations('run.entriesPanel')
  const [reason, setReason] = useState('')
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title={t('chooseTitle', { name: entry.name })}
      description={t.rich('chooseMeans', { money: () => <MoneyAmount amount={entry.price} /> })}
    >
      <Field label={t('reason')} hint={t('othersReceive')} isOptional>
        <Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={1_000} rows={3} />
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{t('notNow')}</Button>
        <Button
          tone="primary"
          disabled={reason.length > 1_000}
          onClick={() => {
            onClose()
            onChoose(reason.trim())
          }}
        >
          {t('chooseThis')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
