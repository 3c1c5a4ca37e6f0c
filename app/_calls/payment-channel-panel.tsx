'use client'
import type { Listing } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { TxLink } from '../_components/ui/copyable-identifier.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Skeleton, Stat } from '../_components/ui/section.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { CallForm } from './call-form.tsx'
import { CallList } from './call-list.tsx'
import type { ChannelDetails } from './channel-view.ts'
import { ClosePaymentChannelButton } from './close-payment-channel-button.tsx'
import { TopUpPaymentChannelForm } from './top-up-payment-channel-form.tsx'

/** One open channel: its balance, the form for the next question, and the answers. */
export function PaymentChannelPanel({ channelId, listing }: { channelId: string; listing: Listing }) {
  const t = useTranslations('calls.paymentChannelPanel')
  const trpc = useTRPC()
  const read = useQuery(
    trpc.channels.get.queryOptions(
      { channel_id: channelId },
      // Polls only while the chain or the agent still has work.
      { refetchInterval: ({ state: { data } }) => (data === undefined || isChannelChanging(data.channel) ? 1_000 : false) },
    ),
  )
  if (read.isPending) return <Skeleton className="h-40 rounded-lg" />
  if (read.error) return <ProblemNotice error={read.error} />
  const { channel, calls } = read.data
  return (
    <div className="grid gap-4">
      <Card className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <StateChip of="channel" state={channel.state} />
            {channel.openedTx && (
              <span className="text-muted text-sm">{t.rich('openedBy', { txLink: fillEmptyTag(<TxLink hash={channel.openedTx} />) })}</span>
            )}
          </div>
          {channel.state === 'open' && (
            <div className="flex flex-wrap gap-2">
              <TopUpPaymentChannelForm channel={channel} />
              <ClosePaymentChannelButton channel={channel} />
            </div>
          )}
        </div>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
          <Stat label={t('setAside')}>
            <MoneyAmount amount={channel.deposit} />
          </Stat>
          <Stat label={channel.isCallOpen ? t('spentOpenCallIncluded') : t('spent')}>
            <MoneyAmount amount={channel.earned} />
          </Stat>
          <Stat label={t('left')}>
            <MoneyAmount amount={channel.deposit - channel.earned} />
          </Stat>
          <Stat label={channel.isCallOpen ? t('notClaimedYetOpenCallIncluded') : t('notClaimedYet')}>
            {t.rich('of', {
              open: () => <MoneyAmount amount={channel.exposure} />,
              limit: () => <MoneyAmount amount={channel.exposureLimit} />,
            })}
          </Stat>
        </dl>
        <ChannelState channel={channel} />
        {channel.state === 'open' && <Ask channel={channel} listing={listing} />}
      </Card>
      {calls.length > 0 && <CallList calls={calls} skills={listing.skills} />}
    </div>
  )
}

/** Whether a change of the channel is in progress. */
export function isChannelChanging(channel: Pick<ChannelDetails, 'state' | 'isCallOpen' | 'underway' | 'topUp'>): boolean {
  if (channel.topUp !== null && channel.topUp.failure === null) return true
  return channel.state === 'opening' || channel.state === 'closing' || channel.isCallOpen || channel.underway !== null
}

function ChannelState({ channel }: { channel: ChannelDetails }) {
  const t = useTranslations('calls.paymentChannelPanel')
  if (channel.state === 'opening') return <p role="status">{t('chainHasNotConfirmedDepositYet')}</p>
  if (channel.state === 'closing')
    return (
      <p role="status">
        {channel.isCallOpen ? t('closesAsSoonAsOpenCall') : t('whatEarnedGoesToAgent')}
        {channel.failure && ` ${t('chainDidNotTake', { failure: channel.failure })}`}
      </p>
    )
  if (channel.frozenSince !== null)
    return (
      <Notice kind="warning" title={t('eventOfChannelCouldNotBooked')}>
        {t('serverTakesNoNewActionOn')}
      </Notice>
    )
  if (channel.isClaimRefused)
    return (
      <Notice kind="warning" title={t('contractRefusedClaimOfWhatChannel')}>
        {t('takesNoCallsUntilClaimHas')}
      </Notice>
    )
  return null
}

/** The form, where this browser can sign: vouchers need the key that the channel was opened with. */
function Ask({ channel, listing }: { channel: ChannelDetails; listing: Listing }) {
  const t = useTranslations('calls.paymentChannelPanel')
  const [hasKey, setHasKey] = useState<boolean | null>(null)
  useEffect(() => {
    void import('./voucher-key.ts').then(({ hasVoucherKey }) => setHasKey(hasVoucherKey(channel.authorizer)))
  }, [channel.authorizer])
  if (hasKey === null) return <Skeleton className="h-24" />
  if (!hasKey)
    return (
      <Notice kind="warning" title={t('channelOpenedElsewhere')}>
        {t('keySignsCallsInBrowserOr')}
      </Notice>
    )
  return <CallForm channel={channel} listing={listing} />
}
