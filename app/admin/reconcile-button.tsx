'use client'
import { RefreshCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useTransition } from 'react'
import { Button } from '../_components/ui/button.tsx'

/** Compares ledger, chain and Stripe now. The page itself shows the newest stored comparison. */
export function ReconcileButton() {
  const t = useTranslations('admin.reconcileButton')
  const router = useRouter()
  const [isPending, start] = useTransition()
  return (
    <Button
      isBusy={isPending}
      onClick={() =>
        start(() => {
          router.push('/admin?check=now')
          router.refresh()
        })
      }
    >
      {!isPending && <RefreshCw aria-hidden />} {t('checkAgain')}
    </Button>
  )
}
