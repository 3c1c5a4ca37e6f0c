'use client'
import type { Listing } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket, useMe } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Section, Skeleton } from '../_components/ui/section.tsx'
import { useWallet } from '../_wallet/wallet-provider.tsx'
import { OpenPaymentChannelForm } from './open-payment-channel-form.tsx'
import { PaymentChannelPanel } from './payment-channel-panel.tsx'

/** Done for a whole goal, not in an answer. */
const planning = 'goal.plan'
/** Beside a channel that closes, another one can be opened. */
const ended = new Set(['closing', 'closed', 'failed'])

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
        <Desk listing={{ ...listing, skills }} key={me.did} />
      )}
    </Section>
  )
}

/** The newest open channel to this agent, or a form that opens one. */
function Desk({ listing }: { listing: Listing }) {
  const t = useTranslations('calls.directCallPanel')
  const trpc = useTRPC()
  const mine = useQuery(trpc.channels.listMine.queryOptions({ side: 'client' }))
  if (mine.isPending) return <Skeleton className="h-32 rounded-lg" />
  if (mine.error) return <ProblemNotice error={mine.error} />
  const own = mine.data.filter((one) => one.agentId === listing.agent_id)
  const current = own.find((one) => !ended.has(one.state))
  const closing = own.find((one) => one.state === 'closing')
  const last = own[0]
  if (current) return <PaymentChannelPanel channelId={current.id} listing={listing} />
  return (
    <div className="grid gap-4">
      {last?.state === 'failed' && (
        <p role="status" className="text-muted text-sm">
          {t('lastTryDidNotGoThrough', { failure: last.failure ?? '' })}
        </p>
      )}
      {closing && <PaymentChannelPanel channelId={closing.id} listing={listing} />}
      <OpenPaymentChannelForm listing={listing} />
    </div>
  )
}
