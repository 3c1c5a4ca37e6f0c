import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description: ReactNode
  readonly yes: string
  readonly onYes: () => void
}

/** One question before what cannot be undone. The focus is on yes, so that Enter answers it. */
export function Confirm({ isOpen, onClose, title, description, yes, onYes }: Props) {
  const t = useTranslations('ui.confirm')
  return (
    <Dialog isOpen={isOpen} onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          tone="primary"
          autoFocus
          onClick={() => {
            onClose()
            onYes()
          }}
        >
          {yes}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
