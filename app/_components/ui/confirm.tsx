import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description: ReactNode
  /** What to know before the answer, for example a warning. */
  readonly children?: ReactNode
  readonly yes: string
  readonly onYes: () => void
}

/** A confirmation before an action that cannot be undone. The confirm button has the focus, so Enter confirms. */
export function Confirm({ isOpen, onClose, title, description, yes, onYes, children }: Props) {
  const t = useTranslations('ui.confirm')
  return (
    <Dialog isOpen={isOpen} onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      {children}
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
