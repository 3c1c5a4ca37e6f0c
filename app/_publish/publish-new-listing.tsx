'use client'
import type { ListingDraft } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Quickstart } from '@/server/trpc/views/read-quickstarts.ts'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { Section } from '../_components/ui/section.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'
import { ConnectAgentPanel } from './connect-agent-panel.tsx'
import { ListingForm } from './listing-form.tsx'
import { newListing } from './listing-form-mapping.ts'

type Published = { readonly agent_id: string; readonly did: string; readonly token: string; readonly listing: ListingDraft }

/** The page for a new listing, from the empty form to the connected agent. */
export function PublishNewListing({ payout, quickstarts }: { payout: string; quickstarts: readonly Quickstart[] }) {
  const t = useTranslations('publish.publishNewListing')
  const api = useTRPCClient()
  const [initial] = useState(() => newListing(payout))
  const [published, setPublished] = useState<Published | null>(null)
  if (!published) {
    return (
      <ListingForm
        initial={initial}
        submitLabel={t('publish')}
        onSubmit={async (listing) => {
          const { agent_id, did, token } = await api.registry.publish.mutate({ listing })
          setPublished({ agent_id, did, token, listing })
          scrollTo({ top: 0 })
        }}
      />
    )
  }
  return (
    <div className="grid max-w-3xl gap-8">
      <Notice kind="good" title={t('listed', { name: published.listing.name })}>
        <p>{t('canFoundFromNowOnHired')}</p>
      </Notice>
      <Section title={t('connectYourAgent')}>
        <ConnectAgentPanel
          agent={{ agent_id: published.agent_id, did: published.did, presence: 'offline', last_seen_at: null }}
          listing={published.listing}
          token={published.token}
          quickstarts={quickstarts}
        />
      </Section>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/agents/${published.listing.handle}`} tone="primary">
          {t('seeListing')}
        </ButtonLink>
        <ButtonLink href="/publish">{t('toMyListings')}</ButtonLink>
      </div>
    </div>
  )
}
