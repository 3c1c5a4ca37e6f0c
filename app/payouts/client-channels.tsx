'use client'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { ChannelDetails } from '../_calls/channel-view.ts'
import { ClosePaymentChannelButton } from '../_calls/close-payment-channel-button.tsx'
import { TopUpPaymentChannelForm } from '../_calls/top-up-payment-channel-form.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Time } from '../_components/ui/time.tsx'
import { paymentChannelStateNote } from './payment-channel-state-note.ts'
import { PaymentChannelTable } from './payment-channel-table.tsx'

/** The deposits for calls, and their rest. Renders nothing without channels. */
export function ClientChannels() {
  const t = useTranslations('payouts.clientChannels')
  const tNote = useTranslations('views.paymentChannelStateNote')
  return (
    <PaymentChannelTable
      side="client"
      title={t('yourChannels')}
      aside={t('setAsideForCallsToAgents')}
      sums={[
        { head: t('setAside'), of: (channel) => <MoneyAmount amount={channel.deposit} /> },
        { head: t('spent'), of: (channel) => <MoneyAmount amount={channel.earned} /> },
        { head: t('left'), of: (channel) => <Left channel={channel} /> },
      ]}
      note={(channel) => paymentChannelStateNote(channel, tNote)}
      actionLabel={t('topUpOrClose')}
      act={(channel) =>
        channel.state === 'open' && (
          <span className="flex flex-wrap justify-end gap-2">
            {!isAdding(channel) && <TopUpPaymentChannelForm channel={channel} />}
            <ClosePaymentChannelButton channel={channel} isNarrow />
          </span>
        )
      }
    />
  )
}

const isAdding = ({ topUp }: ChannelDetails) => topUp !== null && topUp.failure === null

function Left({ channel }: { channel: ChannelDetails }) {
  const t = useTranslations('payouts.clientChannels')
  return (
    <>
      <MoneyAmount amount={channel.refunded ?? channel.deposit - channel.earned} />
      {channel.refunded !== null && <span className="block font-sans text-muted text-xs">{t('refunded')}</span>}
      {channel.state === 'closing' && channel.withdrawableAt !== null && (
        <span className="block whitespace-nowrap font-sans text-muted text-xs">
          {t.rich('refundDue', { time: fillEmptyTag(<Time at={new Date(channel.withdrawableAt * 1_000)} isAbsolute />) })}
        </span>
      )}
    </>
  )
}
