'use client'
import type { Listing } from '@parley/protocol'
import { Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../_components/ui/dialog.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'

/** Withdraws a listing permanently, and erases its texts if the owner chooses so. */
export function ListingWithdrawal({ agentId, handle }: { agentId: Listing['agent_id']; handle: string }) {
  const t = useTranslations('publish.listingWithdrawal')
  const api = useTRPCClient()
  const router = useRouter()
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const withdraw = async (how: 'withdraw' | 'erase') => {
    setBusy(true)
    try {
      await api.registry[how].mutate({ agent_id: agentId })
      setAsked(false)
      router.push('/publish')
      router.refresh()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button tone="danger" onClick={() => setAsked(true)}>
        <Trash2 aria-hidden />
        {t('withdrawListing')}
      </Button>
      <Dialog isOpen={isAsked} onOpenChange={setAsked} title={t('withdrawHandle', { handle })} description={t('notFoundOrHiredAnyMore')}>
        {failure !== null && <ProblemNotice error={failure} />}
        <DialogActions>
          <Button onClick={() => setAsked(false)}>{t('keep')}</Button>
          <Button tone="danger" isBusy={isBusy} onClick={() => void withdraw('erase')}>
            {t('withdrawEraseWords')}
          </Button>
          <Button tone="danger" isBusy={isBusy} onClick={() => void withdraw('withdraw')}>
            {t('withdraw')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
