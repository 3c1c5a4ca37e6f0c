'use client'
import { formatAmount } from '@parley/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { OctagonX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress } from '../_components/ui/copyable-identifier.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Section } from '../_components/ui/section.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'

type Health = inferRouterOutputs<AppRouter>['settlement']['getChainHealth']

/** For operators: problems of the chain and the settler's balance, and the transactions in flight. */
export function ChainHealthPanel() {
  const t = useTranslations('admin.chainHealth')
  const trpc = useTRPC()
  const found = useQuery(trpc.settlement.getChainHealth.queryOptions(undefined, { refetchInterval: 10_000 }))
  if (found.error) return <ProblemNotice error={found.error} />
  if (!found.data) return null
  const { alarms, settler, waiting } = found.data
  return (
    <Section title={t('chain')} aside={settler ? <Means settler={settler} /> : t('nodeDoesNotAnswer')} className="mb-10">
      {alarms.map(({ kind, subject, sentence, facts, since }) => (
        <Notice key={`${kind} ${subject}`} kind="bad" title={sentence} className="mb-4">
          {t.rich('since', {
            subject: () => (
              <span className="break-all">
                {[subject, ...Object.entries(facts).map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            ),
            time: () => <Time at={since} />,
          })}
        </Notice>
      ))}
      <ul className="grid gap-4">
        {waiting.map((transaction) => (
          <li key={transaction.id}>
            <Waiting transaction={transaction} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Means({ settler }: { settler: NonNullable<Health['settler']> }) {
  const t = useTranslations('admin.chainHealth')
  return (
    <>
      {t.rich('settlerHasForGas', {
        address: () => <CopyableAddress address={settler.sender} />,
        balance: () => <span className="figures">{formatAmount(BigInt(settler.balance), 18)}</span>,
      })}
    </>
  )
}

function Waiting({ transaction }: { transaction: Health['waiting'][number] }) {
  const t = useTranslations('admin.chainHealth')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const cancel = useMutation(
    trpc.settlement.cancelTransaction.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.settlement.getChainHealth.queryFilter()),
    }),
  )
  const { id, key, state, nonce, offers, isCancelling, createdAt } = transaction
  const canCancel = nonce !== null && !isCancelling && (state === 'prepared' || state === 'submitted' || state === 'reorged')
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="break-all font-medium">{key}</p>
        <p className="text-muted text-sm">
          <StateChip of="transfer" state={state} />{' '}
          {nonce === null
            ? t.rich('notSignedYet', { time: () => <Time at={createdAt} /> })
            : t.rich('nonceOffered', { nonce, offers, time: () => <Time at={createdAt} /> })}
        </p>
        {isCancelling && <p className="text-sm">{t('nonceBeingUsedUp')}</p>}
        {cancel.error && <ProblemNotice error={cancel.error} money={t('noMoneyMoved')} />}
      </div>
      {canCancel && (
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate({ transaction_id: id })}>
          <OctagonX aria-hidden /> {t('giveUpNonce')}
        </Button>
      )}
    </Card>
  )
}
