'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { ChannelDetails } from '../_calls/channel-view.ts'
import { useMarket } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress } from '../_components/ui/copyable-identifier.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { PaymentChannelTable } from './payment-channel-table.tsx'

/** The earnings of calls per channel, and the claimed part. Renders nothing without channels. */
export function VouchersToClaim() {
  const t = useTranslations('payouts.vouchersToClaim')
  return (
    <PaymentChannelTable
      side="publisher"
      title={t('vouchersToClaim')}
      aside={t('fromCallsToYourAgents')}
      sums={[
        { head: t('earned'), of: (channel) => <MoneyAmount amount={channel.earned} /> },
        { head: t('claimed'), of: (channel) => <MoneyAmount amount={channel.claimed} /> },
        { head: t('toClaim'), of: (channel) => <MoneyAmount amount={channel.unclaimed} />, isStrong: true },
      ]}
      actionLabel={t('claim')}
      act={(channel) => <ClaimButton channel={channel} />}
      note={(channel) => refusedNote(channel, t)}
      after={(channels) => (
        <>
          <AtRisk channels={channels} />
          <Vouchers channels={channels} />
        </>
      )}
    />
  )
}

function refusedNote({ isClaimRefused, frozenSince }: ChannelDetails, t: Translate<'payouts.vouchersToClaim'>): string | null {
  if (frozenSince !== null) return t('eventOfCouldNotBooked')
  return isClaimRefused ? t('claimRefused') : null
}

/** The exposure: what the publisher would lose if the payers' money could no longer be claimed. */
function AtRisk({ channels }: { channels: readonly ChannelDetails[] }) {
  const t = useTranslations('payouts.vouchersToClaim')
  const [first] = channels
  const sum = channels.reduce((total, channel) => total + channel.exposure, 0n)
  if (!first) return null
  return (
    <p className="mt-3 text-muted text-sm">
      {t.rich('earnedNotClaimedWithOpenCalls', {
        sum: () => <MoneyAmount amount={sum} />,
        channelLimit: () => <MoneyAmount amount={first.exposureLimit} />,
        payerLimit: () => <MoneyAmount amount={first.payerExposureLimit} />,
      })}
    </p>
  )
}

/** The data for a claim at the contract without the server. */
function Vouchers({ channels }: { channels: readonly ChannelDetails[] }) {
  const t = useTranslations('payouts.vouchersToClaim')
  const market = useMarket()
  const held = channels.filter((channel) => channel.voucher !== null)
  if (held.length === 0 || market.channels === null) return null
  const text = JSON.stringify(
    held.map(({ config, voucher }) => ({ config, cumulativeAmount: String(voucher?.amount), signature: voucher?.signature })),
    null,
    2,
  )
  return (
    <details className="mt-3 rounded-md border bg-sunken">
      <summary className="min-h-11 px-3 py-2.5 font-medium text-sm md:min-h-9 md:py-2">{t('vouchersThemselves')}</summary>
      <div className="grid gap-3 px-3 pb-3 text-sm">
        <p>{t.rich('withTheseYourWalletCanCall', { address: fillEmptyTag(<CopyableAddress address={market.channels} />) })}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="figures max-h-80 overflow-auto rounded-md border bg-surface p-3 text-[0.8125rem] leading-snug">
          {text}
        </pre>
      </div>
    </details>
  )
}

function ClaimButton({ channel }: { channel: ChannelDetails }) {
  const t = useTranslations('payouts.vouchersToClaim')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const claim = useMutation(
    trpc.channels.claim.mutationOptions({ onSettled: () => queries.invalidateQueries(trpc.channels.listMine.queryFilter()) }),
  )
  const isSent = channel.underway === 'claim' || channel.underway === 'close'
  if (claim.error) return <ProblemNotice error={claim.error} money={t('noMoneyMoved')} />
  if (isSent)
    return (
      <span role="status" className="text-muted text-sm">
        {t('confirming')}
      </span>
    )
  return (
    <span className="grid justify-items-end gap-1">
      {channel.isClaimable && (
        <Button size="small" isBusy={claim.isPending} onClick={() => claim.mutate({ channel_id: channel.id })}>
          <Coins aria-hidden />
          <span>{t.rich('claimWhatHasEarned', { name: channel.name, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}</span>
        </Button>
      )}
      {channel.failure && <span className="max-w-56 whitespace-normal text-bad-ink text-xs">{channel.failure}</span>}
    </span>
  )
}
