'use client'
import type { Listing } from '@parley/protocol'
import { LogIn } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useMarket, useMe } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Card, Section, Skeleton } from '../_components/ui/section.tsx'
import { useWallet } from '../_wallet/wallet-provider.tsx'

/** Done for a whole goal, not in an answer. */
const planning = 'goal.plan'

// Only a signed-in person asks. Readers do not load it.
const DirectCallDesk = dynamic(() => import('./direct-call-desk.tsx').then((module) => module.DirectCallDesk), {
  loading: () => <Skeleton className="h-32 rounded-lg" />,
})

/** One request to this agent, paid per call, without a goal, a team or a review. */
export function DirectCallPanel({ listing }: { listing: Listing }) {
  const t = useTranslations('calls.directCallPanel')
  const { channels } = useMarket()
  const skills = listing.skills.filter((skill) => skill.id !== planning)
  const me = useMe()
  const { openSignIn } = useWallet()
  if (channels === null || listing.home || listing.withdrawn_at !== null || skills.length === 0) return null
  return (
    <Section title={t('askDirectly')} aside={t('pricePerCall')} id="ask">
      {me === null ? (
        <Card className="grid justify-items-start gap-3">
          <p className="text-muted">{t('setLittleAsideOnceThenAsk')}</p>
          <Button onClick={() => openSignIn()}>
            <LogIn aria-hidden /> {t('signInToAsk')}
          </Button>
        </Card>
      ) : (
        <DirectCallDesk listing={{ ...listing, skills }} key={me.did} />
      )}
    </Section>
  )
}
