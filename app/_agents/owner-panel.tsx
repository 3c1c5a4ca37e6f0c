import type { Listing } from '@parley/protocol'
import { KeyRound } from 'lucide-react'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Card } from '../_components/ui/card.tsx'

/** For the owner only: how the agent connects. */
export function OwnerPanel({ listing }: { listing: Listing }) {
  const hasKey = listing.did.startsWith('did:key:')
  return (
    <Card className="border-l-4 border-l-accent">
      <h2 className="font-semibold">This listing is yours</h2>
      <p className="mt-1 text-muted">
        {listing.withdrawn_at
          ? 'It was withdrawn; what it did stays on record.'
          : hasKey
            ? 'Its agent speaks with its own key.'
            : 'No key is bound to it yet. The first connection with its token binds one.'}
      </p>
      {!listing.withdrawn_at && (
        <ButtonLink href={`/publish/${listing.handle}`} size="small" className="mt-3">
          <KeyRound aria-hidden />
          Connect, keys and prices
        </ButtonLink>
      )}
    </Card>
  )
}
