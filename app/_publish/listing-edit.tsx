'use client'
import type { Listing } from '@parley/protocol'
import { Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMarket } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../_components/ui/dialog.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { toast } from '../_components/ui/toaster.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'
import { useWallet } from '../_wallet/wallet-provider.tsx'
import { ListingForm } from './listing-form.tsx'
import { listingToForm } from './listing-form-model.ts'

export function ListingEdit({ listing }: { listing: Listing }) {
  const t = useTranslations('publish.listingEdit')
  const { decimals } = useMarket()
  const api = useTRPCClient()
  const router = useRouter()
  const wallet = useWallet()
  const [initial] = useState(() => listingToForm(listing, decimals))
  return (
    <ListingForm
      initial={initial}
      agentId={listing.agent_id}
      submitLabel={t('saveAsNewVersion')}
      onSubmit={async (draft) => {
        const { agent_id, payout } = listing
        const royalties = listing.royalties?.map(({ agent_id, bps }) => ({ agent_id, bps }))
        const { royalties: newRoyalties, ...rest } = draft
        await api.registry.revise.mutate({ agent_id, listing: { ...rest, payout, ...(royalties && { royalties }) } })
        const isPaidElsewhere = draft.payout !== payout || JSON.stringify(newRoyalties ?? []) !== JSON.stringify(royalties ?? [])
        if (isPaidElsewhere) {
          const to = { agent_id, payout: draft.payout, ...(newRoyalties && { royalties: newRoyalties }) }
          const { typedData, deadline } = await api.registry.getPayoutTerms.query(to)
          const signature = await wallet.signTypedData(typedData)
          await api.registry.changePayout.mutate({ ...to, deadline, signature })
        }
        toast.success(t('saved'), {
          description: isPaidElsewhere ? t('newPayoutCountsIn24Hours') : t('teamsSealedKeepTermsTheySealed'),
        })
        router.push(`/agents/${listing.handle}`)
        router.refresh()
      }}
    />
  )
}

/** Withdraws a listing permanently, and erases its texts if the owner chooses so. */
export function ListingWithdrawal({ agentId, handle }: { agentId: Listing['agent_id']; handle: string }) {
  const t = useTranslations('publish.listingEdit')
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
