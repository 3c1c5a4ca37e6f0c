'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { useMe } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress, TxLink } from '../_components/ui/copyable-identifier.tsx'
import { Field, Input } from '../_components/ui/field.tsx'
import { MoneyAmount, MoneyIn } from '../_components/ui/money.tsx'
import { Card } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'
import { SigningTrouble, useTypedDataSigning } from '../_wallet/use-typed-data-signing.tsx'

type Credit = inferRouterOutputs<AppRouter>['settlement']['getCredits'][number]

/** The credit in the escrow in one token, the withdrawal form, and earlier withdrawals. */
export function EscrowCredit({ credit }: { credit: Credit }) {
  const t = useTranslations('payouts.escrowCredit')
  if (credit.withdrawable === 0n && credit.underway === null && credit.withdrawals.length === 0) return null
  return (
    <MoneyIn symbol={credit.symbol}>
      <Card className="grid gap-4">
        {credit.underway ? (
          <p role="status">{t.rich('creditOnWayTo', { address: fillEmptyTag(<CopyableAddress address={credit.underway.to} />) })}</p>
        ) : (
          credit.withdrawable > 0n && <WithdrawForm amount={credit.withdrawable} />
        )}
        {credit.withdrawals.length > 0 && (
          <div>
            <h3 className="caption mb-1">{t('withdrawn')}</h3>
            <ul className="grid gap-1 text-sm">
              {credit.withdrawals.map((one) => (
                <li key={one.id} className="flex flex-wrap items-center gap-x-2">
                  {t.rich('toIn', {
                    money: () => <MoneyAmount amount={one.amount} />,
                    address: () => <CopyableAddress address={one.to} />,
                    txLink: () => <TxLink hash={one.tx} />,
                    time: () => <Time at={one.at} className="text-muted" />,
                  })}
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
    </MoneyIn>
  )
}

function WithdrawForm({ amount }: { amount: bigint }) {
  const t = useTranslations('payouts.escrowCredit')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const me = useMe()
  const signing = useTypedDataSigning()
  const [to, setTo] = useState<string>(me?.address ?? '')
  const address = to.trim().toLowerCase()
  const isAddress = /^0x[0-9a-f]{40}$/.test(address)

  async function withdraw() {
    if (!isAddress) return
    const target = address as `0x${string}`
    await signing.sign(
      () => api.settlement.getWithdrawalTerms.query({ to: target }),
      (signature, { deadline }) => api.settlement.withdrawCredit.mutate({ to: target, deadline, signature }),
    )
    await queries.invalidateQueries(trpc.settlement.getEarnings.queryFilter())
  }

  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void withdraw()
      }}
    >
      <p>{t.rich('waitInEscrowForYourWallet', { money: () => <MoneyAmount amount={amount} className="font-semibold" /> })}</p>
      <Field
        label={t('toWhichAddress')}
        hint={t('yourOwnWalletUnlessYouChange')}
        error={to !== '' && !isAddress ? t('address0x40DigitsOrLetters') : null}
      >
        <Input value={to} onChange={(event) => setTo(event.target.value)} autoComplete="off" spellCheck={false} className="figures" />
      </Field>
      <SigningTrouble error={signing.error} />
      <div>
        <Button type="submit" tone="primary" isBusy={signing.isBusy} disabled={!isAddress}>
          <Wallet aria-hidden /> {t('withdrawCredit')}
        </Button>
      </div>
    </form>
  )
}
