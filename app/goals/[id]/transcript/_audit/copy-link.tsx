'use client'
import { Link2 } from 'lucide-react'
import { Button } from '../../../../_components/ui/button.tsx'
import { toast } from '../../../../_components/ui/toaster.tsx'

/** The address of one message, in the clipboard and in the address bar. */
export function CopyLink({ seq }: { seq: number }) {
  const copy = () => {
    window.location.hash = `m-${seq}`
    navigator.clipboard.writeText(window.location.href).then(
      () => toast.success('Link copied'),
      () => toast.error('Copy the link from the address bar.'),
    )
  }
  return (
    <Button tone="quiet" size="small" onClick={copy} aria-label={`Copy the link to message ${seq}`}>
      <Link2 aria-hidden /> Link
    </Button>
  )
}
