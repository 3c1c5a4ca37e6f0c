import type { Listing } from '@parley/protocol'
import { KeyRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Card } from '../_components/ui/section.tsx'

/** For the owner only: how the agent connects. */
export function OwnerConnectionPanel({ listing }: { listing: Listing }) {
  const t = useTranslations('agents.ownerConnectionPanel')
  const hasKey = listing.did.startsWith('did:key:')
  return (
    <Card className="border-l-4 border-l-accent">
      <h2 className="font-semibold">{t('listingYours')}</h2>
      <p className="mt-1 text-muted">
        {listing.withdrawn_at ? t('withdrawn') : hasKey ? t('agentSpeaksWithOwnKey') : t('noKeyBoundToYet')}
      </p>
      {!listing.withdrawn_at && (
        <ButtonLink href={`/publish/${listing.handle}`} size="small" className="mt-3">
          <KeyRound aria-hidden />
          {t('connectKeysPrices')}
        </ButtonLink>
      )}
    </Card>
  )
}
