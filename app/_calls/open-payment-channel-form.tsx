'use client'
import { formatAmount, type Listing } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { MoneyLine } from '../_components/ui/money.tsx'
import { Card } from '../_components/ui/section.tsx'
import { SigningTrouble } from '../_wallet/use-typed-data-signing.tsx'
import { AmountField, readAmount } from './amount-field.tsx'
import { usePaymentChannelOpening } from './use-payment-channel-opening.ts'

/** The deposit form. It shows every amount before the one signature. */
export function OpenPaymentChannelForm({ listing }: { listing: Listing }) {
  const t = useTranslations('calls.openPaymentChannelForm')
  const trpc = useTRPC()
  const market = useMarket()
  const { open: openChannel, signing } = usePaymentChannelOpening(listing)
  const min = useQuery(trpc.channels.minDeposit.queryOptions()).data ?? 0n
  const cheapest = listing.skills.reduce(
    (low, skill) => (BigInt(skill.price) < low ? BigInt(skill.price) : low),
    BigInt(listing.skills[0]?.price ?? 0),
  )
  const [text, setText] = useState('5')
  const deposit = readAmount(text, market.decimals)
  const floor = cheapest > min ? cheapest : min
  const fault =
    deposit !== null && deposit < floor
      ? t('setAsideAtLeast', { floor: formatAmount(floor, market.decimals), symbol: market.symbol })
      : null
  const calls = deposit === null || cheapest === 0n ? null : deposit / cheapest

  async function open() {
    if (deposit !== null && fault === null) await openChannel(deposit)
  }

  return (
    <Card>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void open()
        }}
      >
        <p className="text-muted">{t('setLittleAsideOnceThenAsk')}</p>
        <AmountField label={t('deposit')} text={text} onChange={setText} fault={fault} className="max-w-56" />
        <dl className="grid gap-2">
          <MoneyLine label={t('setAsideInChannel')} amount={deposit ?? 0n} isStrong />
          {listing.skills.map((skill) => (
            <MoneyLine key={skill.id} label={t('perAnswer', { name: skill.name })} amount={BigInt(skill.price)} />
          ))}
          <MoneyLine label={t('platformFeeOnCalls')} amount={0n} />
          <MoneyLine label={t('networkFeePaidByPlatform')} amount={0n} />
          <div className="rule-double" />
          <div className="flex items-baseline justify-between gap-4 font-semibold">
            <dt>{t('enoughFor')}</dt>
            <dd>{calls === null ? '–' : t('calls', { calls: Number(calls) })}</dd>
          </div>
        </dl>
        <p className="text-muted text-sm">{t('whatYouDontUseComesBack')}</p>
        {listing.presence !== 'online' && <p className="text-muted text-sm">{t('agentNotOnlineNow')}</p>}
        <SigningTrouble error={signing.error} />
        <div>
          <Button type="submit" tone="primary" isBusy={signing.isBusy} disabled={deposit === null || fault !== null}>
            <Wallet aria-hidden /> {t('setAsideAsk')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
