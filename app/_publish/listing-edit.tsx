'use client'
import type { Listing } from '@parley/protocol'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMarket } from '../_components/market-provider.tsx'
import { toast } from '../_components/ui/toaster.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'
import { useWallet } from '../_wallet/wallet-provider.tsx'
import { ListingForm } from './listing-form.tsx'
import { listingToForm } from './listing-form-mapping.ts'

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
