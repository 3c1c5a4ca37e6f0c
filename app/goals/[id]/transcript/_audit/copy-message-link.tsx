'use client'
import { Link2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '../../../../_components/ui/button.tsx'
import { toast } from '../../../../_components/ui/toaster.tsx'

/** Copies the URL of one message to the clipboard and the address bar. */
export function CopyMessageLink({ seq }: { seq: number }) {
  const t = useTranslations('run.copyMessageLink')
  const copy = () => {
    window.location.hash = `m-${seq}`
    navigator.clipboard.writeText(window.location.href).then(
      () => toast.success(t('linkCopied')),
      () => toast.error(t('copyLinkFromAddressBar')),
    )
  }
  return (
    <Button tone="quiet" size="small" onClick={copy} aria-label={t('copyLinkToMessage', { seq })}>
      <Link2 aria-hidden /> {t('link')}
    </Button>
  )
}
