'use client'
import type { Listing } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Skeleton } from '../_components/ui/section.tsx'
import { OpenPaymentChannelForm } from './open-payment-channel-form.tsx'
import { PaymentChannelPanel } from './payment-channel-panel.tsx'

/** Beside a channel that closes, another one can be opened. */
const ended = new Set(['closing', 'closed', 'failed'])

/** The newest open channel to this agent, or a form that opens one. */
export function DirectCallDesk({ listing }: { listing: Listing }) {
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
