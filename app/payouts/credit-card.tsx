'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/root.ts'
import { useMe } from '../_components/market.tsx'
import { Address, TxLink } from '../_components/ui/address.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Card } from '../_components/ui/card.tsx'
import { Field, Input } from '../_components/ui/field.tsx'
import { Money, MoneyIn } from '../_components/ui/money.tsx'
import { Time } from '../_components/ui/time.tsx'
import { SigningTrouble, useSigning } from '../_wallet/use-signing.tsx'

type Credit = inferRouterOutputs<AppRouter>['settlement']['getCredits'][number]

/** What waits in the escrow in one token, the form that takes it out, and what was taken out before. */
export function CreditCard({ credit }: { credit: Credit }) {
  if (credit.withdrawable === 0n && credit.underway === null && credit.withdrawals.length === 0) return null
  return (
    <MoneyIn symbol={credit.symbol}>
      <Card className="grid gap-4">
        {credit.underway ? (
          <p role="status">
            The credit is on its way to <Address address={credit.underway.to} />. This takes a few seconds, and you may leave this page.
          </p>
        ) : (
          credit.withdrawable > 0n && <WithdrawForm amount={credit.withdrawable} />
        )}
        {credit.withdrawals.length > 0 && (
          <div>
            <h3 className="caption mb-1">Withdrawn</h3>
            <ul className="grid gap-1 text-sm">
              {credit.withdrawals.map((one) => (
                <li key={one.id} className="flex flex-wrap items-center gap-x-2">
                  <Money amount={one.amount} /> to <Address address={one.to} /> in <TxLink hash={one.tx} />
                  <Time at={one.at} className="text-muted" />
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
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const me = useMe()
  const signing = useSigning()
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
      <p>
        <Money amount={amount} className="font-semibold" /> wait in the escrow for your wallet. Your wallet signs once; it needs no gas, and
        the whole credit is sent.
      </p>
      <Field
        label="To which address"
        hint="Your own wallet, unless you change it."
        error={to !== '' && !isAddress ? 'An address is 0x and 40 digits or letters a to f.' : null}
      >
        <Input value={to} onChange={(event) => setTo(event.target.value)} autoComplete="off" spellCheck={false} className="figures" />
      </Field>
      <SigningTrouble error={signing.error} />
      <div>
        <Button type="submit" tone="primary" isBusy={signing.isBusy} disabled={!isAddress}>
          <Wallet aria-hidden /> Withdraw credit
        </Button>
      </div>
    </form>
  )
}
