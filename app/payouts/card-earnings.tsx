'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Landmark, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Card, Section, Skeleton } from '../_components/ui/card.tsx'
import { Chip } from '../_components/ui/chip.tsx'
import { Money, MoneyIn } from '../_components/ui/money.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'
import { SigningTrouble, useSigning } from '../_wallet/use-signing.tsx'

const words = {
  waiting: { label: 'waits for your payout account', tone: 'amber' },
  underway: { label: 'on its way', tone: 'blue' },
  paid: { label: 'paid out', tone: 'good' },
  lapsed: { label: 'not claimed in time', tone: 'bad' },
  reversed: { label: 'taken back', tone: 'bad' },
  failed: { label: 'failed', tone: 'bad' },
} as const

/** What clients have paid by card for one's agents. The account to be paid into is opened when there is something to claim. */
export function CardEarnings() {
  const trpc = useTRPC()
  const earnings = useQuery(trpc.settlement.getCardEarnings.queryOptions())
  const api = useTRPCClient()
  const signing = useSigning()
  const [isLeaving, setLeaving] = useState(false)
  const open = () =>
    signing.sign(
      () => api.settlement.getPayoutAccountTerms.query(),
      async (signature, { deadline }) => {
        const { url } = await api.settlement.openPayoutAccount.mutate({ signature, deadline })
        setLeaving(true)
        window.location.assign(url)
      },
    )
  const refresh = useMutation(trpc.settlement.refreshPayoutAccount.mutationOptions({ onSuccess: () => earnings.refetch() }))
  if (earnings.isPending) return <Skeleton className="h-24 rounded-lg" />
  if (earnings.error) return <ProblemNotice error={earnings.error} />
  const { account, shares, waiting, paid } = earnings.data
  if (shares.length === 0 && account.state === 'none') return null
  return (
    <MoneyIn symbol="USD">
      <Section title="Paid by card" aside="In US dollars, through Stripe">
        <Card className="mb-4">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p>
              <Money amount={paid} className="font-semibold" /> paid out, <Money amount={waiting} className="font-semibold" /> waiting.
            </p>
            {account.state === 'ready' ? (
              <Chip tone="good">Payout account ready</Chip>
            ) : (
              <div className="flex flex-wrap gap-2">
                {account.state === 'incomplete' && (
                  <Button isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
                    <RefreshCw aria-hidden /> Refresh
                  </Button>
                )}
                <Button tone="primary" isBusy={signing.isBusy || isLeaving} onClick={() => void open()}>
                  <Landmark aria-hidden />
                  {account.state === 'none' ? 'Add a payout account to claim it' : 'Complete your payout account'}
                </Button>
              </div>
            )}
          </div>
          {account.wants.length > 0 && (
            <Notice kind="warning" title="Stripe needs more information from you." className="mt-3">
              {account.wants.join(', ')}
            </Notice>
          )}
          <SigningTrouble error={signing.error} className="mt-3" />
          {refresh.error && <ProblemNotice error={refresh.error} className="mt-3" />}
        </Card>
        {shares.length > 0 && (
          <Table caption="Shares of goals paid by card" isStacked>
            <thead>
              <tr>
                <Th>Goal</Th>
                <Th>State</Th>
                <Th isNumber>Amount</Th>
                <Th>Claim by</Th>
              </tr>
            </thead>
            <tbody>
              {shares.map((share) => (
                <Tr key={`${share.goalId} ${share.amount} ${share.state}`}>
                  <Td>
                    <a className="text-link" href={`/goals/${share.goalId}/payouts`}>
                      its goal
                    </a>
                  </Td>
                  <Td>
                    <Chip tone={words[share.state].tone}>{words[share.state].label}</Chip>
                    {share.failure && <span className="block text-muted text-xs">{share.failure}</span>}
                  </Td>
                  <Td isNumber>
                    <Money amount={share.amount} />
                  </Td>
                  <Td>{share.claimBy ? <Time at={share.claimBy} /> : '–'}</Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Section>
    </MoneyIn>
  )
}
