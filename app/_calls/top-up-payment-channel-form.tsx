'use client'
import { formatAmount } from '@parley/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket, useMe } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../_components/ui/dialog.tsx'
import { MoneyLine } from '../_components/ui/money.tsx'
import { SigningTrouble, useTypedDataSigning } from '../_wallet/use-typed-data-signing.tsx'
import { AmountField, readAmount } from './amount-field.tsx'
import type { ChannelDetails } from './channel-view.ts'

/** Adds money to an open channel with one wallet signature. Calls continue meanwhile. `amount`: what the form proposes, base units. */
export function TopUpPaymentChannelForm({ channel, amount: proposed }: { channel: ChannelDetails; amount?: bigint }) {
  const t = useTranslations('calls.topUpPaymentChannelForm')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const market = useMarket()
  const me = useMe()
  const signing = useTypedDataSigning()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(proposed === undefined ? '5' : formatAmount(proposed, market.decimals))
  const amount = readAmount(text, market.decimals)

  async function add() {
    if (amount === null || !me) return
    const [{ makeSalt }, { isRequestedTopUp }] = await Promise.all([
      import('./voucher-key.ts'),
      import('./payment-channel-signing-policy.ts'),
    ])
    const wanted = { channel_id: channel.id, amount: amount.toString(), salt: makeSalt() }
    const isTaken = await signing.sign(
      async () => {
        const terms = await api.channels.topUpTerms.query(wanted)
        if (!isRequestedTopUp(market, terms.typedData, { ...wanted, payer: me.address, channelId: channel.id, amount }))
          throw new Error(t('serverAsksForAnotherSignature'))
        return terms
      },
      (signature, { validBefore }) => api.channels.topUp.mutate({ ...wanted, valid_before: validBefore, signature }),
    )
    if (!isTaken) return
    setOpen(false)
    await Promise.all([
      queries.invalidateQueries(trpc.channels.listMine.queryFilter()),
      queries.invalidateQueries(trpc.channels.get.queryFilter({ channel_id: channel.id })),
    ])
  }

  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        <span>{t.rich('topUpChannelTo', { name: channel.name, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}</span>
      </Button>
      <Dialog
        isOpen={isOpen && !signing.isAsking}
        onOpenChange={setOpen}
        title={t('title', { name: channel.name })}
        description={t('yourWalletSignsOnceNeedsNo')}
      >
        <AmountField label={t('amount')} text={text} onChange={setText} />
        <dl className="mt-4 grid gap-2">
          <MoneyLine label={t('setAsideNow')} amount={channel.deposit} />
          <MoneyLine label={t('setAsideThen')} amount={channel.deposit + (amount ?? 0n)} isStrong />
          <MoneyLine label={t('networkFeePaidByPlatform')} amount={0n} />
        </dl>
        <SigningTrouble error={signing.error} className="mt-3" />
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{t('notNow')}</Button>
          <Button tone="primary" isBusy={signing.isBusy} disabled={amount === null || amount === 0n} onClick={() => void add()}>
            {t('add')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
